import { TextInput } from '@mantine/core';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

interface UriPatternInputProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  /** Whether the pattern is for pages. Two pages cannot have the same URL. */
  readonly isOfPages: boolean;
  readonly isReadOnly?: boolean;
  /** Text to show below the pattern instead of an example. */
  readonly note?: string;
}

export function UriPatternInput({ value, onChange, error, isOfPages, isReadOnly = false, note }: UriPatternInputProps) {
  const isFixed = isOfPages && !value.includes('{slug}') && !value.includes('{id}');
  return (
    <TextInput
      label={TYPE_TEXTS.uriPattern}
      description={
        <>
          {TYPE_TEXTS.uriPatternHelp}
          <br />
          {note ?? TYPE_TEXTS.uriExample(buildExample(value))}
          {isFixed && (
            <>
              <br />
              {TYPE_TEXTS.uriFixed}
            </>
          )}
        </>
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      readOnly={isReadOnly}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  );
}

function buildExample(pattern: string): string {
  const uri = pattern
    .replaceAll('{slug}', TYPE_TEXTS.uriSlug)
    .replaceAll('{id}', 'c_42')
    .replaceAll('{language}', 'fr');
  return `/${uri.replace(/^\/+/, '')}`;
}
