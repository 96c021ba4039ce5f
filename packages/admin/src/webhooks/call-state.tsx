// How calls are shown: their state, their event, and the content that they are about.

import type { WebhookCallBody } from '@galley/wire';
import { Badge, Code } from '@mantine/core';
import { TextLink } from '../elements/link-button.tsx';
import { CALL_TEXTS } from '../texts/webhook-texts.ts';

type State = WebhookCallBody['state'];

const COLORS: Readonly<Record<State, string>> = { waiting: 'yellow', delivered: 'pine', failed: 'red' };

/** A call that is waiting after a failed attempt is shown as being retried. */
export function CallStateBadge({ call: { state, attempts } }: { readonly call: WebhookCallBody }) {
  const text = state === 'waiting' && attempts > 0 ? CALL_TEXTS.retrying : CALL_TEXTS.states[state];
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {text}
    </Badge>
  );
}

/** A short description of a call, such as `Published: The weight of paper`. */
export function describeCall({ type, contents, content_name: name }: WebhookCallBody): string {
  const [first] = contents;
  const event = CALL_TEXTS.events[type];
  return first === undefined ? event : CALL_TEXTS.about(event, name ?? first);
}

interface CallContentProps {
  readonly site: string;
  /** The ID of the content. */
  readonly id: string;
  /** Null if the content no longer exists. */
  readonly name: string | null;
}

export function CallContent({ site, id, name }: CallContentProps) {
  if (name === null) return <Code>{id}</Code>;
  return (
    <TextLink to="/sites/$site/content/$id" params={{ site, id }} size="sm">
      {name}
    </TextLink>
  );
}

export function describeResponse({ attempts, status }: WebhookCallBody): string {
  if (status !== null) return String(status);
  return attempts === 0 ? CALL_TEXTS.nothing : CALL_TEXTS.noResponse;
}

const SECOND_MS = 1000;

export function describeDuration({ duration_ms: duration }: WebhookCallBody): string {
  if (duration === null) return CALL_TEXTS.nothing;
  return duration < SECOND_MS ? CALL_TEXTS.ms(duration) : CALL_TEXTS.seconds(duration);
}
