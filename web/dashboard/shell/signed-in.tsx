import { Container } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useLocation } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { paths } from '../paths.ts'
import { Failure } from './failure.tsx'
import { Loading } from './loaded.tsx'
import { Shell } from './shell.tsx'

/** Shows its pages to who is signed in, and brings everyone else to the sign-in page and back here afterwards. */
export function SignedIn() {
  const session = useQuery(sessionQuery)
  const { href } = useLocation()
  if (session.data) return <Shell session={session.data} />
  if (session.data === null) return <Navigate to={paths.signIn} search={{ back: href }} replace />
  return (
    <Container py={64} component="main">
      {session.isError ? <Failure error={session.error} onRetry={() => void session.refetch()} /> : <Loading />}
    </Container>
  )
}
