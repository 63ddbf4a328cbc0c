import { invalidFields } from '#platform/errors.ts'

/** A workspace's name without white space around it. @throws badRequest where nothing else is in it */
export function readWorkspaceName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalidFields([{ path: 'name', message: 'must have more than white space' }])
  return name
}
