import { readFileSync } from 'node:fs';

const SWAGGER = '@nestjs/swagger';

export interface SwaggerPluginOptions {
  /** Ends of the names of files whose classes the OpenAPI document describes. */
  readonly dtoFileNameSuffix: readonly string[];
}

export interface NestConfiguration {
  readonly sourceRoot: string;
  readonly compilerOptions: {
    readonly tsConfigPath: string;
    readonly plugins?: readonly { readonly name: string; readonly options: SwaggerPluginOptions }[];
  };
}

/** As much of nest-cli.json as the build uses. */
export const nestConfiguration = (): NestConfiguration =>
  JSON.parse(readFileSync('nest-cli.json', 'utf8')) as NestConfiguration;

/** The options of the plugin that reads types and comments for the OpenAPI document; undefined = it is not used. */
export const swaggerPluginOptions = (): SwaggerPluginOptions | undefined =>
  nestConfiguration().compilerOptions.plugins?.find(({ name }) => name === SWAGGER)?.options;

/** Whether the classes of a file are described in the OpenAPI document by the plugin. */
export function isDto(file: string): boolean {
  return suffixes.some((suffix) => file.endsWith(suffix));
}

const suffixes = swaggerPluginOptions()?.dtoFileNameSuffix ?? [];
