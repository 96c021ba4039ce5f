import type { ContentSummaryBody } from '@galley/wire';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { StateLabel } from '../../content/state-label.tsx';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './chosen-list.module.css';
import { ChosenList, ChosenState, PickerDialog } from './chosen-list.tsx';
import { readItems } from './field-values.ts';
import { type FieldInputProps, useForm } from './form-context.ts';
import { contentSearch, linkedContentQuery } from './picker-queries.ts';

export function ContentLinksInput(props: FieldInputProps) {
  const { field, value, onChange } = props;
  const { site } = useForm();
  const queryClient = useQueryClient();
  const ids = readItems(value, 'content_links');
  const change = (links: readonly string[]): void =>
    onChange(links.length === 0 ? undefined : { content_links: links });
  const isAllowed = ({ id, content_type }: ContentSummaryBody): boolean =>
    !ids.includes(id) && (field.allowed_types === undefined || field.allowed_types.includes(content_type));
  return (
    <ChosenList
      {...props}
      ids={ids}
      onOrder={change}
      addLabel={EDITOR_TEXTS.addLinks}
      addLabelOf={EDITOR_TEXTS.addLinksTo}
      nameOf={(id) => queryClient.getQueryData(linkedContentQuery(site, id).queryKey)?.name ?? id}
      picker={(close) => (
        <PickerDialog<ContentSummaryBody>
          title={EDITOR_TEXTS.addLinksTo(field.name)}
          searchLabel={EDITOR_TEXTS.searchContent}
          search={(text) => contentSearch(site, field, text)}
          isChoice={isAllowed}
          onChoose={(contents) => {
            for (const content of contents) {
              queryClient.setQueryData(linkedContentQuery(site, content.id).queryKey, content);
            }
            change([...ids, ...contents.map(({ id }) => id)]);
          }}
          onClose={close}
        >
          {(content) => <ContentLine content={content} />}
        </PickerDialog>
      )}
    >
      {(id) => <ChosenContent id={id} />}
    </ChosenList>
  );
}

function ChosenContent({ id }: { readonly id: string }) {
  const { site } = useForm();
  const { data: content, isError } = useQuery(linkedContentQuery(site, id));
  return content === undefined ? <ChosenState id={id} isGone={isError} /> : <ContentLine content={content} />;
}

/** Content in one line: its name, type, language and state. */
function ContentLine({ content }: { readonly content: ContentSummaryBody }) {
  const { site, types } = useForm();
  const nameLanguage = useLanguageNames(site);
  const type = types.find(({ handle }) => handle === content.content_type)?.name ?? content.content_type;
  return (
    <span className={classes.line} data-stacks>
      <span className={classes.texts}>
        <span className={classes.name}>{content.name}</span>
        <span className={classes.small}>{EDITOR_TEXTS.typeAndLanguage(type, nameLanguage(content.language))}</span>
      </span>
      <StateLabel state={content.state} />
    </span>
  );
}
