import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { Card } from '../elements/card.tsx';
import { ExactNumberInput } from '../forms/exact-number-input.tsx';
import { HISTORY_TEXTS } from '../texts/history-texts.ts';
import type { SeoFields } from './use-seo.ts';

interface LinkPreviewFieldsProps {
  readonly seo: SeoFields;
  /** The name of the content, as it is being written. */
  readonly name: string;
  /** Its address; null where the site has none. */
  readonly url: string | null;
  readonly isReadOnly: boolean;
}

export function LinkPreviewFields({ seo, name, url, isReadOnly }: LinkPreviewFieldsProps) {
  const { values, set, textOf, errorOf } = seo;
  return (
    <Card title={HISTORY_TEXTS.openGraph} intro={HISTORY_TEXTS.openGraphIntro}>
      <TextInput
        label={HISTORY_TEXTS.ogTitle}
        placeholder={values.title === '' ? name : values.title}
        readOnly={isReadOnly}
        {...textOf('og_title')}
      />
      <Textarea
        label={HISTORY_TEXTS.ogDescription}
        placeholder={values.description}
        autosize
        minRows={2}
        readOnly={isReadOnly}
        {...textOf('og_description')}
      />
      <TextInput label={HISTORY_TEXTS.ogImage} type="url" readOnly={isReadOnly} {...textOf('og_image_secure_url')} />
      <TextInput label={HISTORY_TEXTS.ogImageAlt} readOnly={isReadOnly} {...textOf('og_image_alt')} />
      <SimpleGrid cols={2}>
        <ExactNumberInput
          label={HISTORY_TEXTS.ogImageWidth}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          readOnly={isReadOnly}
          value={values.og_image_width}
          onChange={(width) => set('og_image_width', width)}
          error={errorOf('og_image_width')}
        />
        <ExactNumberInput
          label={HISTORY_TEXTS.ogImageHeight}
          min={0}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          readOnly={isReadOnly}
          value={values.og_image_height}
          onChange={(height) => set('og_image_height', height)}
          error={errorOf('og_image_height')}
        />
      </SimpleGrid>
      <TextInput
        label={HISTORY_TEXTS.ogUrl}
        type="url"
        placeholder={url ?? ''}
        readOnly={isReadOnly}
        {...textOf('og_url')}
      />
    </Card>
  );
}
