// What search engines and link previews are told, with a look at what they make of it.

import type { ManagedContentBody } from '@galley/wire';
import { Autocomplete, Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';
import { contentQuery } from '../editor/content-queries.ts';
import { Card } from '../elements/card.tsx';
import { FormMessage } from '../forms/form-message.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { useShortcuts } from '../keyboard/use-shortcuts.ts';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { keepContent } from './keep-content.ts';
import { LinkPreviewFields } from './link-preview-fields.tsx';
import { SearchPreview } from './search-preview.tsx';
import classes from './seo-form.module.css';
import { buildSeo, findSeoField, readSeo, type SeoValues } from './seo-values.ts';

/** About what search engines show before they cut. */
const MOST_TITLE = 60;
const MOST_DESCRIPTION = 160;
const ROBOTS = ['noindex', 'noindex, nofollow', 'nofollow', 'noarchive'];

interface SeoFormProps {
  readonly site: string;
  readonly content: ManagedContentBody;
}

export function SeoForm({ site, content }: SeoFormProps) {
  const queryClient = useQueryClient();
  const isReadOnly = content.state === 'archived';
  const save = async (values: SeoValues): Promise<ManagedContentBody> => {
    const params = { path: { site, content: content.id } };
    const body = { version: content.version, seo: buildSeo(values) };
    try {
      return await readAnswer(api.PUT('/manage/v1/sites/{site}/content/{content}', { params, body }));
    } catch (error) {
      if (!isConflict(error)) throw error;
      await queryClient.invalidateQueries({ queryKey: contentQuery(site, content.id).queryKey, exact: true });
      throw new Error(HISTORY_TEXTS.savedMeanwhile);
    }
  };
  const seoForm = useApiForm({
    initial: readSeo(content.seo),
    submit: save,
    fieldOf: findSeoField,
    onDone: async (saved) => {
      await keepContent(queryClient, site, saved);
      notifications.show({ message: SHELL_TEXTS.saved });
    },
  });
  const { form, values, set, errorOf, message, isPending, isChanged } = seoForm;
  useShortcuts([
    { keys: 'mod+S', label: SHELL_TEXTS.save, run: () => form.ref.current?.requestSubmit(), isForFields: true },
  ]);
  return (
    <div className={classes.columns}>
      <form {...form}>
        <Stack gap="lg">
          <FormMessage message={message} />
          <Card title={HISTORY_TEXTS.searchResult}>
            <TextInput
              label={HISTORY_TEXTS.seoTitle}
              description={describeLength(values.title, MOST_TITLE, HISTORY_TEXTS.seoTitleHelp)}
              placeholder={content.name}
              readOnly={isReadOnly}
              value={values.title}
              onChange={(event) => set('title', event.currentTarget.value)}
              error={errorOf('title')}
            />
            <Textarea
              label={HISTORY_TEXTS.seoDescription}
              description={describeLength(values.description, MOST_DESCRIPTION, HISTORY_TEXTS.seoDescriptionHelp)}
              autosize
              minRows={3}
              readOnly={isReadOnly}
              value={values.description}
              onChange={(event) => set('description', event.currentTarget.value)}
              error={errorOf('description')}
            />
            <Autocomplete
              label={HISTORY_TEXTS.robots}
              description={HISTORY_TEXTS.robotsHelp}
              data={ROBOTS}
              readOnly={isReadOnly}
              value={values.robots}
              onChange={(robots) => set('robots', robots)}
              error={errorOf('robots')}
            />
            <TextInput
              label={HISTORY_TEXTS.canonical}
              description={HISTORY_TEXTS.canonicalHelp}
              type="url"
              readOnly={isReadOnly}
              value={values.canonical_url}
              onChange={(event) => set('canonical_url', event.currentTarget.value)}
              error={errorOf('canonical_url')}
            />
          </Card>
          <LinkPreviewFields form={seoForm} content={content} isReadOnly={isReadOnly} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending} disabled={!isChanged}>
                {SHELL_TEXTS.save}
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <SearchPreview content={content} values={values} />
    </div>
  );
}

function describeLength(text: string, most: number, help: string): string {
  if (text === '') return help;
  const count = [...text].length;
  return count > most ? HISTORY_TEXTS.seoTooLong(count, most) : HISTORY_TEXTS.seoCount(count, most);
}
