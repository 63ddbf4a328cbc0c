/** The permissions of API keys: to do everything with a workspace, or only to list its publications. */
export const PERMISSIONS = ['publish', 'read'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** The permissions of a workspace's first key, and of any other that is created without a choice. */
export const DEFAULT_PERMISSIONS: readonly Permission[] = ['publish', 'read']

/** Returns everything that permissions allow: who publishes also reads. */
export function grantedBy(permissions: readonly Permission[]): readonly Permission[] {
  return permissions.includes('publish') ? PERMISSIONS : permissions
}
