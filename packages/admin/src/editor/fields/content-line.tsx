import type { ContentSummaryBody } from '@galley/wire';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import { StateBadge } from '../state-badge.tsx';
import classes from './chosen-line.module.css';
import { useForm } from './form-context.ts';

/** Content in one line: its name, its type and where it stands. */
export function ContentLine({ content }: { readonly content: ContentSummaryBody }) {
  const { types } = useForm();
  const type = types.find(({ handle }) => handle === content.content_type)?.name ?? content.content_type;
  return (
    <span className={classes.line}>
      <span className={classes.texts}>
        <span className={classes.name}>{content.name}</span>
        <span className={classes.small}>{EDITOR_TEXTS.typeAndLanguage(type, content.language)}</span>
      </span>
      <StateBadge state={content.state} />
    </span>
  );
}
