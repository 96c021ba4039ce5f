import type { SiteBody } from '@galley/wire';
import { Badge, Button, Group, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, readAnswer } from '../api/api.ts';
import { showToast } from '../elements/show-toast.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { LanguageInput } from '../languages/language-inputs.tsx';
import { nameLanguage } from '../texts/language-name.ts';
import { LANGUAGE_TEXTS, SITE_TEXTS } from '../texts/site-texts.ts';
import classes from './site-languages.module.css';
import { keepSite } from './site-queries.ts';

interface SiteLanguagesProps {
  readonly site: SiteBody;
  readonly isReadOnly: boolean;
}

export function SiteLanguages({ site, isReadOnly }: SiteLanguagesProps) {
  const queryClient = useQueryClient();
  const keep = (changed: SiteBody): Promise<void> => keepSite(queryClient, changed);
  const path = { site: site.id };
  const makeDefault = useMutation({
    mutationFn: (language: string) =>
      readAnswer(api.PUT('/manage/v1/sites/{site}/default-language', { params: { path }, body: { language } })),
    onSuccess: keep,
  });
  const remove = useMutation({
    mutationFn: (language: string) =>
      readAnswer(
        api.DELETE('/manage/v1/sites/{site}/languages/{language}', { params: { path: { ...path, language } } }),
      ),
    onSuccess: async (_site, language) => {
      await queryClient.invalidateQueries({ queryKey: ['sites'] });
      showToast({
        text: SITE_TEXTS.languageRemoved(nameLanguage(language)),
        action: { label: SITE_TEXTS.undo, run: () => bringBack.mutate(language) },
      });
    },
  });
  const bringBack = useMutation({ mutationFn: (language: string) => addLanguage(site.id, language), onSuccess: keep });
  const failed = makeDefault.error ?? remove.error ?? bringBack.error;
  return (
    <Stack gap="sm">
      <FormMessage message={failed === null ? undefined : describeError(failed)} />
      <ul className={classes.list}>
        {site.languages.map((language) => (
          <li key={language} className={classes.language}>
            <span className={classes.name}>
              {nameLanguage(language)} <span className={classes.tag}>{language}</span>
            </span>
            {language === site.default_language ? (
              <Badge variant="light" size="sm">
                {SITE_TEXTS.defaultLanguage}
              </Badge>
            ) : (
              !isReadOnly && (
                <Group gap="xs">
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    aria-label={SITE_TEXTS.makeDefaultOf(nameLanguage(language, site.languages))}
                    loading={makeDefault.isPending && makeDefault.variables === language}
                    onClick={() => {
                      remove.reset();
                      makeDefault.mutate(language);
                    }}
                  >
                    {SITE_TEXTS.makeDefault}
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="subtle"
                    color="red"
                    aria-label={SITE_TEXTS.removeOf(nameLanguage(language, site.languages))}
                    loading={remove.isPending && remove.variables === language}
                    onClick={() => {
                      makeDefault.reset();
                      remove.mutate(language);
                    }}
                  >
                    {SITE_TEXTS.remove}
                  </Button>
                </Group>
              )
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && <NewLanguage site={site} onAdded={keep} />}
    </Stack>
  );
}

function NewLanguage({
  site,
  onAdded,
}: {
  readonly site: SiteBody;
  readonly onAdded: (site: SiteBody) => Promise<void>;
}) {
  const { form, values, set, errorOf, message, isPending } = useApiForm({
    initial: { language: '' },
    submit: ({ language }) => addLanguage(site.id, language),
    onDone: async (changed) => {
      set('language', '');
      await onAdded(changed);
    },
  });
  return (
    <form {...form}>
      <Group gap="xs" align="flex-end">
        <LanguageInput
          label={SITE_TEXTS.addLanguage}
          value={values.language}
          onChange={(language) => set('language', language)}
          except={site.languages}
          error={errorOf('language', LANGUAGE_TEXTS.language) ?? message}
        />
        <Button type="submit" variant="default" loading={isPending} disabled={values.language === ''}>
          {SITE_TEXTS.add}
        </Button>
      </Group>
    </form>
  );
}

function addLanguage(site: string, language: string): Promise<SiteBody> {
  return readAnswer(api.POST('/manage/v1/sites/{site}/languages', { params: { path: { site } }, body: { language } }));
}
