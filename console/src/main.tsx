import './mantine.css';
import './styles.css';
import { loadLanguage } from './text/language';

// A language that cannot be loaded leaves the texts in English.
await loadLanguage().catch(() => undefined);
const { renderConsole } = await import('./app');
renderConsole();
