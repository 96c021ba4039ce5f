import type { ContentSummaryBody } from '@galley/wire';
import { StateLabel } from '../../content/state-label.tsx';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { EDITOR_TEXTS } from '../../texts/editor-texts.ts';
import classes from './chosen-line.module.css';
import { useForm } from './form-context.ts';

/** Content in one line: its name, its type and where it stands. */
export function ContentLine({ content }: { readonly content: ContentSummaryBody }) {
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
