import { Container, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { sessionQuery } from '../api/session.ts'
import { Failure } from '../feedback/failure.tsx'
import { Loading } from '../feedback/loaded.tsx'
import { paths } from '../navigation/paths.ts'
import { Brand } from './brand.tsx'
import { Shell } from './shell.tsx'

/** Shows its pages to signed-in operators. Everyone else is sent to the sign-in page, and back here afterwards. */
export function SignedIn() {
  const session = useQuery(sessionQuery)
  if (session.data) return <Shell session={session.data} />
  if (session.data === null) return <ToSignIn />
  return (
    <Container size="sm" py={{ base: 'md', sm: 64 }} component="main">
      {session.isError ? (
        <Stack>
          <Brand />
          <Failure error={session.error} onRetry={() => void session.refetch()} />
        </Stack>
      ) : (
        <Loading />
      )}
    </Container>
  )
}

/** Navigates once. The router's own component would navigate again with every change of the address on the way. */
function ToSignIn() {
  const router = useRouter()
  useEffect(() => {
    void router.navigate({ to: paths.signIn, search: { back: router.latestLocation.href }, replace: true })
  }, [router])
  return <Loading />
}
