import { IconPlus } from '@tabler/icons-react';
import { EmptyState } from '../elements/empty-state.tsx';
import { LinkButton } from '../elements/link-button.tsx';
import { useIsOwner } from '../session/use-user.ts';
import { CONTENT_TEXTS } from '../texts/content-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

interface NoTypesProps {
  readonly site: string;
  readonly title: string;
}

/** Where a site has no content type for anything to be written in: owners can make the first. */
export function NoTypes({ site, title }: NoTypesProps) {
  const isOwner = useIsOwner();
  if (!isOwner) return <EmptyState title={title} text={CONTENT_TEXTS.noTypesText} />;
  const create = (
    <LinkButton to="/sites/$site/types/new-type" params={{ site }} leftSection={<IconPlus size={16} aria-hidden />}>
      {TYPE_TEXTS.newTitle}
    </LinkButton>
  );
  return <EmptyState title={title} text={TYPE_TEXTS.emptyText} action={create} />;
}
