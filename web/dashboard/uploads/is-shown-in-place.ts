import type { Upload } from './upload-queue.ts'

/**
 * Checks whether the page at an address shows an upload itself: the library shows new files, settings show a
 * replacement.
 */
export function isShownInPlace({ workspaceId, purpose }: Pick<Upload, 'workspaceId' | 'purpose'>, pathname: string) {
  const place = !('replacedId' in purpose)
    ? `/workspaces/${workspaceId}`
    : `/publications/${purpose.replacedId}/settings`
  return pathname.replace(/\/$/, '') === place
}
