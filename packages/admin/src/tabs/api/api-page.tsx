// Shows the content object as front ends receive it, and the request that returns it.

import { Group, SegmentedControl, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readDelivery } from '../../api/delivery.ts';
import { Card } from '../../elements/card.tsx';
import { CodeBlock } from '../../elements/copyable.tsx';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import { deliveredQuery } from '../tab-queries.ts';
import { useOpenedContent } from '../use-opened-content.ts';
import classes from './api-page.module.css';
import { buildSnippet, type SnippetName } from './build-snippets.ts';

const SNIPPETS: readonly SnippetName[] = ['curl', 'fetch', 'client'];

export function ApiPage() {
  const { site, content } = useOpenedContent();
  const { data: delivered } = useSuspenseQuery(deliveredQuery(site, content));
  const published = renderJson(delivered.published);
  const preview = renderJson(delivered.preview);
  return (
    <>
      <Requests site={site} id={content.id} isPublished={published !== undefined} />
      <div className={classes.columns}>
        <Card title={TAB_TEXTS.published} intro={TAB_TEXTS.publishedIntro}>
          <Json code={published} what={TAB_TEXTS.published} instead={TAB_TEXTS.notPublished} />
        </Card>
        <Card
          title={TAB_TEXTS.preview}
          intro={preview !== undefined && preview === published ? TAB_TEXTS.samePreview : TAB_TEXTS.previewIntro}
        >
          <Json code={preview} what={TAB_TEXTS.preview} instead={TAB_TEXTS.archivedPreview} />
        </Card>
      </div>
    </>
  );
}

interface RequestsProps {
  readonly site: string;
  readonly id: string;
  readonly isPublished: boolean;
}

function Requests({ site, id, isPublished }: RequestsProps) {
  const [name, setName] = useState<SnippetName>('curl');
  const [audience, setAudience] = useState(isPublished ? 'published' : 'preview');
  const code = buildSnippet(name, { delivery: readDelivery(), site, id, isPreview: audience === 'preview' });
  return (
    <Card title={TAB_TEXTS.request} intro={TAB_TEXTS.requestIntro}>
      <Group gap="xs">
        <SegmentedControl
          aria-label={TAB_TEXTS.languageOfCode}
          size="xs"
          value={name}
          onChange={setName}
          data={SNIPPETS.map((value) => ({ value, label: TAB_TEXTS.snippets[value] }))}
        />
        <SegmentedControl
          aria-label={TAB_TEXTS.audience}
          size="xs"
          value={audience}
          onChange={setAudience}
          data={[
            { value: 'published', label: TAB_TEXTS.published },
            { value: 'preview', label: TAB_TEXTS.preview },
          ]}
        />
      </Group>
      <CodeBlock label={TAB_TEXTS.snippets[name]} what={TAB_TEXTS.snippets[name]} code={code} />
    </Card>
  );
}

interface JsonProps {
  readonly code: string | undefined;
  readonly what: string;
  /** The text to show if there is no JSON. */
  readonly instead: string;
}

function Json({ code, what, instead }: JsonProps) {
  if (code === undefined) return <Text c="dimmed">{instead}</Text>;
  return (
    <div className={classes.json}>
      <CodeBlock label={TAB_TEXTS.json} what={`${what} ${TAB_TEXTS.json}`} code={code} />
    </div>
  );
}

function renderJson(body: object | null): string | undefined {
  return body === null ? undefined : JSON.stringify(body, null, 2);
}
