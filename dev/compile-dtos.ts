// `node dev/compile-dtos.ts <folder>`: compiles the request and response classes with TypeScript and the plugin of
// @nestjs/swagger. The plugin writes the types, comments and validators of their members into the OpenAPI document. It
// needs the types of these files and of their imports, which SWC does not have.
import { before } from '@nestjs/swagger/plugin';
import ts from 'typescript';
import { isDto, pluginOptions, tsConfigPath } from './nest-configuration.ts';

const [outDir] = process.argv.slice(2) as [string];
const host: ts.ParseConfigFileHost = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};
const { fileNames, options } = ts.getParsedCommandLineOfConfigFile(tsConfigPath, { outDir }, host)!;
const dtos = fileNames.filter(isDto);
const program = ts.createProgram(dtos, options);
const transformers = { before: [before(pluginOptions as object, program)] };
for (const file of dtos) {
  const source = program.getSourceFile(file);
  const faults = program.getSyntacticDiagnostics(source);
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, ts.createCompilerHost(options)));
  program.emit(source, undefined, undefined, false, transformers);
}
