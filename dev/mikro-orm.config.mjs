// The configuration of MikroORM's command line. MikroORM's own TypeScript loaders are not installed.
import './typescript-loader.ts';

const { default: options } = await import('../mikro-orm.config.ts');

export default options;
