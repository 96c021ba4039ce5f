// Deletes an author. Only owners can delete an author who is used in content, and they choose a replacement.

import type { ManagedAuthorBody } from '@galley/wire';
import { Select } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, readAnswer } from '../api/api.ts';
import { isConflict } from '../api/api-error.ts';
import { ConfirmDialog, RefusedUses } from '../elements/confirm-dialog.tsx';
import { DeleteCard } from '../elements/delete-card.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { AUTHOR_TEXTS } from '../texts/author-texts.ts';
import { authorChoicesQuery, authorQuery } from './author-queries.ts';

interface DeleteAuthorProps {
  readonly site: string;
  readonly author: ManagedAuthorBody;
}

export function DeleteAuthor({ site, author }: DeleteAuthorProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const [refusal, setRefusal] = useState<Error>();
  const [replacement, setReplacement] = useState<string | null>(null);

  const remove = async (query: { readonly confirm?: string; readonly replace_with?: string }): Promise<void> => {
    const params = { path: { site, author: author.id }, query };
    await readAnswer(api.DELETE('/manage/v1/sites/{site}/authors/{author}', { params }));
    await navigate({ to: '/sites/$site/authors', params: { site } });
    // The query is removed only after the user has left this page, because the page would otherwise request the deleted
    // author again.
    queryClient.removeQueries({ queryKey: authorQuery(site, author.id).queryKey });
    await queryClient.invalidateQueries({ queryKey: ['sites', site] });
    showToast({ text: AUTHOR_TEXTS.removed(author.name) });
  };

  const removeUnused = async (): Promise<void> => {
    try {
      await remove({});
    } catch (error) {
      if (!isOwner || !isConflict(error)) throw error;
      setRefusal(error);
    }
  };

  return (
    <>
      <DeleteCard
        label={AUTHOR_TEXTS.remove}
        intro={AUTHOR_TEXTS.removeIntro}
        question={AUTHOR_TEXTS.removeTitle(author.name)}
        warning={AUTHOR_TEXTS.removeText}
        onDelete={removeUnused}
      />
      <ConfirmDialog
        isOpen={refusal !== undefined}
        title={AUTHOR_TEXTS.inUseTitle(author.name)}
        text={AUTHOR_TEXTS.inUseText}
        confirmLabel={AUTHOR_TEXTS.remove}
        typed={author.name}
        onConfirm={() => remove({ confirm: author.id, ...(replacement === null ? {} : { replace_with: replacement }) })}
        onClose={() => setRefusal(undefined)}
      >
        {refusal !== undefined && <RefusedUses error={refusal} />}
        <ReplacementSelect site={site} author={author} value={replacement} onChange={setReplacement} />
      </ConfirmDialog>
    </>
  );
}

interface ReplacementSelectProps extends DeleteAuthorProps {
  readonly value: string | null;
  readonly onChange: (author: string | null) => void;
}

function ReplacementSelect({ site, author, value, onChange }: ReplacementSelectProps) {
  const { data: choices = [] } = useQuery(authorChoicesQuery(site, ''));
  const others = choices.filter(({ id }) => id !== author.id);
  return (
    <Select
      label={AUTHOR_TEXTS.replacement}
      placeholder={AUTHOR_TEXTS.noReplacement}
      data={others.map(({ id, name }) => ({ value: id, label: name }))}
      clearable
      value={value}
      onChange={onChange}
    />
  );
}
