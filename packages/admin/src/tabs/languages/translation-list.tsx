import type { ManagedContentBody, TranslationBody } from '@galley/wire';
import { Badge, Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, readAnswer } from '../../api/api.ts';
import { StateLabel } from '../../content/state-label.tsx';
import { contentQuery } from '../../editor/content-calls.ts';
import { saveFirst, useDraft } from '../../editor/use-draft.ts';
import { TextLink } from '../../elements/link-button.tsx';
import { showToast } from '../../elements/show-toast.tsx';
import { describeError } from '../../forms/describe-error.ts';
import { FormMessage } from '../../forms/form-frame.tsx';
import { nameLanguage } from '../../texts/language-name.ts';
import { TAB_TEXTS } from '../../texts/tab-texts.ts';
import classes from './translation-list.module.css';

interface TranslationListProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  /** All of the site's languages. */
  readonly languages: readonly string[];
}

interface NewTranslation {
  readonly language: string;
  /** The ID of the content that the translation is copied from. */
  readonly source: string;
}

export function TranslationList({ site, content, languages }: TranslationListProps) {
  const queryClient = useQueryClient();
  const draft = useDraft();
  const navigate = useNavigate();
  const translate = useMutation({
    mutationFn: async ({ language, source }: NewTranslation) => {
      await saveFirst(draft);
      return readAnswer(
        api.POST('/manage/v1/sites/{site}/content/{content}/translations', {
          params: { path: { site, content: source } },
          body: { language },
        }),
      );
    },
    onSuccess: async ({ id, language }) => {
      await queryClient.invalidateQueries({ queryKey: ['sites', site, 'content'] });
      showToast({ text: TAB_TEXTS.created(nameLanguage(language)) });
      await navigate({ to: '/sites/$site/content/$id', params: { site, id } });
    },
    // Somebody else may have created it. The list then shows their translation.
    onError: () => queryClient.invalidateQueries({ queryKey: contentQuery(site, content.id).queryKey }),
  });
  return (
    <>
      <FormMessage message={translate.error === null ? undefined : describeError(translate.error)} />
      <ul className={classes.list}>
        {languages.map((language) => {
          const translation = content.translations.find((each) => each.language === language);
          return (
            <li key={language} className={classes.language}>
              <span className={classes.name}>
                {nameLanguage(language)} <span className={classes.tag}>{language}</span>
              </span>
              {translation === undefined ? (
                <>
                  <Badge variant="outline" size="sm" color="gray">
                    {TAB_TEXTS.missing}
                  </Badge>
                  {content.state !== 'archived' && (
                    <TranslateButton
                      language={language}
                      content={content}
                      isPending={translate.isPending && translate.variables.language === language}
                      onTranslate={(source) => translate.mutate({ language, source })}
                    />
                  )}
                </>
              ) : (
                <Translation site={site} content={content} translation={translation} />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface TranslationProps {
  readonly site: string;
  readonly content: ManagedContentBody;
  readonly translation: TranslationBody;
}

function Translation({ site, content, translation }: TranslationProps) {
  const { id, name, state } = translation;
  return (
    <>
      <StateLabel state={state} />
      {id === content.id ? (
        <span className={classes.own}>
          {name} <span className={classes.tag}>{TAB_TEXTS.thisOne}</span>
        </span>
      ) : (
        <TextLink to="/sites/$site/content/$id/languages" params={{ site, id }} className={classes.own}>
          {name}
        </TextLink>
      )}
    </>
  );
}

interface TranslateButtonProps {
  readonly language: string;
  readonly content: ManagedContentBody;
  readonly isPending: boolean;
  readonly onTranslate: (source: string) => void;
}

/** If there are several languages to copy from, asks which one to use. */
function TranslateButton({ language, content, isPending, onTranslate }: TranslateButtonProps) {
  const label = TAB_TEXTS.createIn(nameLanguage(language));
  const common = {
    size: 'compact-sm',
    variant: 'default',
    'aria-label': label,
    className: classes.action,
    loading: isPending,
    leftSection: <IconPlus size={14} aria-hidden />,
  } as const;
  if (content.translations.length < 2) {
    return (
      <Button {...common} onClick={() => onTranslate(content.id)}>
        {TAB_TEXTS.createTranslation}
      </Button>
    );
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...common} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {TAB_TEXTS.createTranslation}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{TAB_TEXTS.startFrom}</Menu.Label>
        {content.translations.map((source) => (
          <Menu.Item key={source.id} onClick={() => onTranslate(source.id)}>
            {nameLanguage(source.language)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
