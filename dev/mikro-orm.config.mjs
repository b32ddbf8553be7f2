// The configuration of MikroORM's command line: its own loaders of TypeScript are not installed.
import './typescript-loader.ts';

const { default: options } = await import('../mikro-orm.config.ts');

export default options;
