/**
 * The metadata of class-transformer's decorators. The path by which the package exports this file differs from the path
 * of its types.
 */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: new () => object, propertyName: string): { typeFunction?: () => unknown } | undefined;
    findTransformMetadatas(target: new () => object, propertyName: string, transformationType: number): object[];
    getExposedMetadatas(target: new () => object): object[];
    getExcludedMetadatas(target: new () => object): object[];
  };
}
