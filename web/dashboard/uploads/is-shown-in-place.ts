import type { Upload } from './upload-queue.ts'

/** Whether the page at an address shows a file itself: the library its new ones, a publication’s settings its own. */
export function isShownInPlace({ workspaceId, purpose }: Pick<Upload, 'workspaceId' | 'purpose'>, pathname: string) {
  const place = 'title' in purpose ? `/workspaces/${workspaceId}` : `/publications/${purpose.replacedId}/settings`
  return pathname.replace(/\/$/, '') === place
}
