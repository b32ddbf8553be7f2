/** class-transformer keeps what its decorators said here, and declares it in `types/` under another name than it exports it. */
declare module 'class-transformer/cjs/storage.js' {
  export const defaultMetadataStorage: {
    findTypeMetadata(target: new () => object, propertyName: string): object | undefined;
    findTransformMetadatas(target: new () => object, propertyName: string, transformationType: number): object[];
    getExposedMetadatas(target: new () => object): object[];
    getExcludedMetadatas(target: new () => object): object[];
  };
}
