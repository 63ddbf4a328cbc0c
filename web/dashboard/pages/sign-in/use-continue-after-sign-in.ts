import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { queryKeys } from '../../api/query-keys.ts'
import type { Session } from '../../api/session.ts'
import { paths } from '../../navigation/paths.ts'

/** Returns a function that leads from a new session to the page that was requested, or home. */
export function useContinueAfterSignIn(back: string | undefined): (session: Session) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (session) => {
    client.setQueryData(queryKeys.session, session)
    // Only addresses of this dashboard are followed, because anyone may have made the link.
    if (back?.startsWith('/') && !back.startsWith('//')) router.history.push(router.basepath + back)
    else void router.navigate({ to: paths.home })
  }
}
