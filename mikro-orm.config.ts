import { Config } from './src/config/config.js';
import { ormOptions } from './src/database/orm-options.js';
export default ormOptions(Config.read().values.DATABASE_URL ?? 'postgres://127.0.0.1/gatehouse');
