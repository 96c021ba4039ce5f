// Uploads files for a field of the open content.

import type { ManagedAssetBody } from '@galley/wire';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { assetQuery } from '../../assets/asset-queries.ts';
import type { DroppedFile } from '../../assets/uploads/dropped-files.ts';
import { uploads } from '../../assets/uploads/uploads.ts';
import { showToast } from '../../elements/show-toast.tsx';
import { UPLOAD_TEXTS } from '../../texts/upload-texts.ts';
import { useForm } from './form-context.ts';

/**
 * @param onUploaded called for each file when it is stored
 * @param index the position of the file among those that were uploaded together
 */
type UploadToField = (
  files: readonly DroppedFile[],
  onUploaded: (asset: ManagedAssetBody, index: number) => void,
) => void;

export function useFieldUploads(fieldName: string): UploadToField {
  const { site } = useForm();
  const queryClient = useQueryClient();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return (files, onUploaded) =>
    uploads.add(
      files.map(({ file, folder }, index) => ({
        site,
        file,
        target: { kind: 'new', folder },
        onDone: (asset) => {
          queryClient.setQueryData(assetQuery(site, asset.id).queryKey, asset);
          // The form no longer shows the field, so its values may be out of date.
          if (isShown.current) onUploaded(asset, index);
          else showToast({ text: UPLOAD_TEXTS.notAdded(asset.name, fieldName) });
        },
      })),
    );
}
