import { installLibrary, type LibraryProject } from '../../../../scripts/packing/install-library.ts';

export type ClientProject = LibraryProject;

export function installClient(): Promise<ClientProject> {
  return installLibrary('client');
}
