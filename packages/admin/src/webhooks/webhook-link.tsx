import type { WebhookBody } from '@galley/wire';
import { IconArrowLeft } from '@tabler/icons-react';
import { TextLink } from '../elements/link-button.tsx';
import classes from './webhook-link.module.css';

interface BackToWebhookProps {
  readonly site: string;
  readonly webhook: WebhookBody;
}

/** The link from one of a webhook's subpages back to the webhook. */
export function BackToWebhook({ site, webhook: { id, name } }: BackToWebhookProps) {
  return (
    <TextLink className={classes.back} to="/sites/$site/webhooks/$webhook" params={{ site, webhook: id }}>
      <IconArrowLeft size={15} aria-hidden />
      {name}
    </TextLink>
  );
}
