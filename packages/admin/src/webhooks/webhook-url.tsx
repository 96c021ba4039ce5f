import { Code } from '@mantine/core';
import classes from './webhook-url.module.css';

interface WebhookUrlProps {
  readonly url: string;
  /** Whether to cut off the end if there is no room. */
  readonly isShort?: boolean;
}

/** The URL is not a link, because opening a receiver in a browser serves no purpose. */
export function WebhookUrl({ url, isShort = false }: WebhookUrlProps) {
  return (
    <Code className={classes.url} data-short={isShort || undefined} title={url}>
      {url}
    </Code>
  );
}
