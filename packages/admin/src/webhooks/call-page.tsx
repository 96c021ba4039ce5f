import type { WebhookCallDetailsBody } from '@galley/wire';
import { Button, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Card } from '../elements/card.tsx';
import { CodeBlock, CopyableId } from '../elements/copyable.tsx';
import { Facts } from '../elements/facts.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { SecondText } from '../elements/time-text.tsx';
import { describeError } from '../forms/describe-error.ts';
import { CALL_TEXTS } from '../texts/webhook-texts.ts';
import { NextTry } from './call-log.tsx';
import classes from './call-page.module.css';
import { callQuery, sendAgain } from './call-queries.ts';
import { CallContent, CallStateBadge, describeCall, describeDuration, describeResponse } from './call-state.tsx';
import { BackToWebhook } from './webhook-link.tsx';
import { webhookQuery } from './webhook-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/webhooks/$webhook/calls/$call');

/** Shows everything that is known about a call: its events, the last request, and the response. */
export function CallPage() {
  const { site, webhook: webhookId, call: id } = route.useParams();
  const path = { site, webhook: webhookId };
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const { data: webhook } = useSuspenseQuery(webhookQuery(site, webhookId));
  const { data: call } = useSuspenseQuery(callQuery(path, id));
  const again = useMutation({
    mutationFn: () => sendAgain(queryClient, path, id),
    onSuccess: async (newId) => {
      showToast({ text: CALL_TEXTS.sentAgain });
      await navigate({ to: '/sites/$site/webhooks/$webhook/calls/$call', params: { ...path, call: newId } });
    },
    onError: (error) => showToast({ isError: true, text: describeError(error) }),
  });
  return (
    <Page
      title={describeCall(call)}
      intro={<BackToWebhook site={site} webhook={webhook} />}
      actions={
        call.state !== 'waiting' && (
          <Button
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            disabled={!webhook.is_on}
            loading={again.isPending}
            onClick={() => again.mutate()}
          >
            {CALL_TEXTS.sendAgain}
          </Button>
        )
      }
      isNarrow
    >
      <Card>
        <CallFacts site={site} call={call} />
      </Card>
      {call.events.length > 1 && (
        <Card title={CALL_TEXTS.eventList}>
          <Events site={site} call={call} />
        </Card>
      )}
      <Card title={CALL_TEXTS.request} intro={CALL_TEXTS.requestIntro}>
        {call.request === null ? (
          <Text c="dimmed">{CALL_TEXTS.notSent}</Text>
        ) : (
          <Exchange exchange={call.request} kilobytes={16} />
        )}
      </Card>
      {call.request !== null && (
        <Card title={CALL_TEXTS.response}>
          {call.response === null ? (
            <Text c="dimmed">{CALL_TEXTS.noAnswer}</Text>
          ) : (
            <Exchange exchange={call.response} kilobytes={2} />
          )}
        </Card>
      )}
    </Page>
  );
}

function CallFacts({ site, call }: EventsProps) {
  const [only, ...others] = call.contents;
  const { error, attempts, attempt_at: attemptAt, ended_at: endedAt } = call;
  return (
    <Facts
      facts={[
        { name: CALL_TEXTS.state, value: <CallStateBadge call={call} /> },
        { name: CALL_TEXTS.error, value: error },
        {
          name: CALL_TEXTS.content,
          value:
            only === undefined || others.length > 0 ? null : (
              <CallContent site={site} id={only} name={call.content_name} />
            ),
        },
        { name: CALL_TEXTS.created, value: <SecondText value={call.created_at} /> },
        { name: CALL_TEXTS.attempts, value: attempts },
        { name: CALL_TEXTS.lastAttempt, value: attemptAt && <SecondText value={attemptAt} /> },
        { name: CALL_TEXTS.response, value: attempts === 0 ? null : describeResponse(call) },
        { name: CALL_TEXTS.duration, value: attempts === 0 ? null : describeDuration(call) },
        { name: CALL_TEXTS.next, value: call.next_at && <NextTry call={call} /> },
        { name: CALL_TEXTS.ended, value: endedAt && <SecondText value={endedAt} /> },
        { name: CALL_TEXTS.idName, value: <CopyableId id={call.id} what={CALL_TEXTS.id} /> },
      ]}
    />
  );
}

interface EventsProps {
  readonly site: string;
  readonly call: WebhookCallDetailsBody;
}

function Events({ site, call: { events } }: EventsProps) {
  return (
    <ol className={classes.events}>
      {events.map(({ type, data: { id }, content_name: name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and an event has no ID
        <li key={index}>
          <span>{CALL_TEXTS.events[type]}</span>
          {typeof id === 'string' && <CallContent site={site} id={id} name={name} />}
        </li>
      ))}
    </ol>
  );
}

interface ExchangeProps {
  readonly exchange: NonNullable<WebhookCallDetailsBody['request']>;
  /** The service stores only this much of the body. */
  readonly kilobytes: number;
}

function Exchange({ exchange: { headers, body }, kilobytes }: ExchangeProps) {
  const isCut = body !== null && body.length >= kilobytes * 1024;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <>
      {lines.length > 0 && <CodeBlock label={CALL_TEXTS.headers} what={CALL_TEXTS.headers} code={lines.join('\n')} />}
      {body === null || body === '' ? (
        <Text c="dimmed">{body === null ? CALL_TEXTS.bodyDeleted : CALL_TEXTS.noBody}</Text>
      ) : (
        <CodeBlock
          label={isCut ? CALL_TEXTS.cutBody(kilobytes) : CALL_TEXTS.body}
          what={CALL_TEXTS.body}
          code={indentJson(body)}
        />
      )}
    </>
  );
}

/** A body that is cut off, or that is not JSON, is shown as it is. */
function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
