import './mantine.css';
import './styles.css';
import { loadLanguage } from './text/language';

// If the language cannot be loaded, the texts stay in English.
await loadLanguage().catch(() => undefined);
const { renderConsole } = await import('./app');
renderConsole();
