// A webhook's call log. It reloads every few seconds, so new calls and their results appear automatically.

import type { WebhookBody, WebhookCallBody } from '@galley/wire';
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { type Column, DataTable } from '../elements/data-table.tsx';
import { EmptyState } from '../elements/empty-state.tsx';
import { TextLink } from '../elements/link-button.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { SecondText } from '../elements/time-text.tsx';
import { describeError } from '../forms/describe-error.ts';
import { ListEnd } from '../lists/list-end.tsx';
import { CALL_TEXTS } from '../texts/webhook-texts.ts';
import classes from './call-log.module.css';
import { CALL_STATES, type CallState, callsQuery, sendAgain } from './call-queries.ts';
import { CallContent, CallStateBadge, describeCall, describeDuration, describeResponse } from './call-state.tsx';

interface CallLogProps {
  readonly site: string;
  readonly webhook: WebhookBody;
  /** Undefined if the log shows calls in every state. */
  readonly state: CallState | undefined;
  readonly onFilter: (state: CallState | undefined) => void;
}

export function CallLog({ site, webhook, state, onFilter }: CallLogProps) {
  const path = { site, webhook: webhook.id };
  // The current list stays visible until the next one has loaded.
  const list = useSuspenseInfiniteQuery(callsQuery(path, useDeferredValue(state)));
  const queryClient = useQueryClient();
  const again = useMutation({
    mutationFn: (call: string) => sendAgain(queryClient, path, call),
    onSuccess: () => showToast({ text: CALL_TEXTS.sentAgain }),
    onError: (error) => showToast({ isError: true, text: describeError(error) }),
  });
  const columns = listColumns(path, {
    isOn: webhook.is_on,
    pending: again.isPending ? again.variables : undefined,
    send: (call) => again.mutate(call),
  });
  return (
    <>
      <Group>
        <SegmentedControl
          aria-label={CALL_TEXTS.filter}
          value={state ?? 'all'}
          onChange={(chosen) => onFilter(CALL_STATES.find((known) => known === chosen))}
          data={[
            { value: 'all', label: CALL_TEXTS.all },
            ...CALL_STATES.map((known) => ({ value: known, label: CALL_TEXTS.states[known] })),
          ]}
        />
      </Group>
      {list.data.length === 0 ? (
        <NoCalls state={state} onFilter={onFilter} />
      ) : (
        <DataTable label={CALL_TEXTS.title} columns={columns} rows={list.data} keyOf={({ id }) => id} />
      )}
      <ListEnd list={list} />
    </>
  );
}

function NoCalls({ state, onFilter }: Pick<CallLogProps, 'state' | 'onFilter'>) {
  if (state === undefined) return <EmptyState title={CALL_TEXTS.emptyTitle} text={CALL_TEXTS.emptyText} />;
  return (
    <EmptyState
      title={CALL_TEXTS.noneTitle}
      text={CALL_TEXTS.noneText}
      action={
        <Button variant="default" onClick={() => onFilter(undefined)}>
          {CALL_TEXTS.showAll}
        </Button>
      }
    />
  );
}

interface SendingAgain {
  readonly isOn: boolean;
  /** The call that is being sent again. */
  readonly pending: string | undefined;
  readonly send: (call: string) => void;
}

function listColumns(
  { site, webhook }: { readonly site: string; readonly webhook: string },
  { isOn, pending, send }: SendingAgain,
): readonly Column<WebhookCallBody>[] {
  return [
    {
      header: CALL_TEXTS.event,
      isName: true,
      cell: (call) => (
        <TextLink
          to="/sites/$site/webhooks/$webhook/calls/$call"
          params={{ site, webhook, call: call.id }}
          aria-label={describeCall(call)}
          className={classes.event}
        >
          {CALL_TEXTS.events[call.type]}
        </TextLink>
      ),
    },
    { header: CALL_TEXTS.content, cell: (call) => <CallContents site={site} call={call} /> },
    { header: CALL_TEXTS.state, cell: (call) => <CallProgress call={call} /> },
    { header: CALL_TEXTS.time, cell: (call) => <SecondText value={call.created_at} /> },
    { header: CALL_TEXTS.attempts, cell: (call) => call.attempts },
    { header: CALL_TEXTS.response, cell: describeResponse },
    { header: CALL_TEXTS.duration, cell: describeDuration },
    {
      header: CALL_TEXTS.sendAgain,
      isAction: true,
      cell: (call) =>
        isOn &&
        call.state === 'failed' && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-label={CALL_TEXTS.sendAgainOf(describeCall(call))}
            loading={pending === call.id}
            onClick={() => send(call.id)}
          >
            {CALL_TEXTS.sendAgain}
          </Button>
        ),
    },
  ];
}

/** The first content object that the call is about, and the number of others. */
function CallContents({ site, call: { contents, content_name: name } }: CallContentsProps) {
  const [first, ...others] = contents;
  if (first === undefined) return CALL_TEXTS.nothing;
  return (
    <span>
      <CallContent site={site} id={first} name={name} />
      {others.length > 0 && ` ${CALL_TEXTS.others(others.length)}`}
    </span>
  );
}

interface CallContentsProps {
  readonly site: string;
  readonly call: WebhookCallBody;
}

/** The state and, below it, when Galley will try again. */
function CallProgress({ call }: { readonly call: WebhookCallBody }) {
  return (
    <div>
      <CallStateBadge call={call} />
      {call.attempts > 0 && call.next_at !== null && (
        <Text size="xs" c="dimmed" mt={2} className={classes.next}>
          {CALL_TEXTS.nextAt} <NextTry call={call} />
        </Text>
      )}
    </div>
  );
}

export function NextTry({ call: { next_at: next } }: { readonly call: WebhookCallBody }) {
  if (next === null) return CALL_TEXTS.nothing;
  return Date.parse(next) <= Date.now() ? CALL_TEXTS.now : <SecondText value={next} />;
}
