import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { queryKeys } from '../../api/query-keys.ts'
import type { Session } from '../../api/session.ts'
import { paths } from '../../navigation/paths.ts'

/** Gives what brings someone who just signed in to where they wanted to go, or home. */
export function useContinueAfterSignIn(back: string | undefined): (session: Session) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (session) => {
    client.setQueryData(queryKeys.session, session)
    // Only an address of this dashboard is followed: the link may have been made by anyone.
    if (back?.startsWith('/') && !back.startsWith('//')) router.history.push(router.basepath + back)
    else void router.navigate({ to: paths.home })
  }
}
