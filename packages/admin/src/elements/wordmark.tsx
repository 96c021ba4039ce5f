import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import classes from './wordmark.module.css';

export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <svg className={classes.sign} viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="currentColor" />
        <path d="M9 9h14M9 14h14M9 19h9M9 24h5" stroke="var(--galley-paper)" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      {SHELL_TEXTS.product}
    </span>
  );
}
