import type { ContentSummaryBody } from '@galley/wire';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { ChosenList, ChosenState } from './chosen-list.tsx';
import { ContentLine } from './content-line.tsx';
import type { FieldInputProps } from './field-input-props.ts';
import { readItems } from './field-values.ts';
import { useForm } from './form-context.ts';
import { PickerDialog } from './picker-dialog.tsx';
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
