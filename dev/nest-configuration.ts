import { readFileSync } from 'node:fs';

/** The part of nest-cli.json that the build uses. */
interface NestConfiguration {
  readonly sourceRoot: string;
  readonly compilerOptions: {
    readonly tsConfigPath: string;
    /** The plugin of @nestjs/swagger, which reads types and comments for the OpenAPI document. */
    readonly plugins: readonly [{ readonly options: { readonly dtoFileNameSuffix: readonly string[] } }];
  };
}

const configuration = JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;
export const { sourceRoot } = configuration;
export const { tsConfigPath } = configuration.compilerOptions;
export const pluginOptions = configuration.compilerOptions.plugins[0].options;

/** Whether the plugin describes the classes of a file in the OpenAPI document. */
export const isDto = (file: string): boolean => pluginOptions.dtoFileNameSuffix.some((suffix) => file.endsWith(suffix));
