// @galley/preview: live updates and click-to-edit for pages in Galley's preview.

export { connectPreview, type PreviewConnection } from './connect-preview.ts';
export { type EditAttributes, type EditableContent, editAttributes } from './edit-attributes.ts';
export { decodeMark, type Mark } from './mark.ts';
export type { PreviewContent } from './parse-panel-message.ts';
export type { PreviewOptions } from './preview-options.ts';
export { showToolbar, type Toolbar, type ToolbarOptions } from './show-toolbar.ts';
export { stegaClean } from './stega-clean.ts';
