import { readFileSync } from 'node:fs';

const SWAGGER = '@nestjs/swagger';

export interface SwaggerPluginOptions {
  /** Suffixes of file names whose classes the OpenAPI document describes. */
  readonly dtoFileNameSuffix: readonly string[];
}

export interface NestConfiguration {
  readonly sourceRoot: string;
  readonly compilerOptions: {
    readonly tsConfigPath: string;
    readonly plugins?: readonly { readonly name: string; readonly options: SwaggerPluginOptions }[];
  };
}

/** The part of nest-cli.json that the build uses. */
export const nestConfiguration = (): NestConfiguration =>
  JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;

/** The options of the plugin that reads types and comments for the OpenAPI document; undefined = not used. */
export const swaggerPluginOptions = (): SwaggerPluginOptions | undefined =>
  nestConfiguration().compilerOptions.plugins?.find(({ name }) => name === SWAGGER)?.options;

/** Whether the plugin describes the classes of a file in the OpenAPI document. */
export function isDto(file: string): boolean {
  return suffixes.some((suffix) => file.endsWith(suffix));
}

const suffixes = swaggerPluginOptions()?.dtoFileNameSuffix ?? [];
