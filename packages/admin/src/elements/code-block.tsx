import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  readonly label: string;
  readonly what: string;
  readonly code: string;
}

/** Code to be copied as it stands. */
export function CodeBlock({ label, what, code }: CodeBlockProps) {
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.caption}>
        {label}
        <CopyButton value={code} what={what} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
