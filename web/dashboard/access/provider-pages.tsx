import { Anchor, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../ui/titles.tsx'
import { announceConfirmation } from '../api/confirmation.ts'
import { beginProviderVisit, lastProviderVisit } from '../api/session.ts'
import { Loading } from '../components/feedback.tsx'
import { OutsidePage } from '../components/page-frames.tsx'
import { paths } from '../components/paths.ts'
import { confirmWithProvider, signInWithProvider } from '../generated/sdk.gen.ts'
import { ProviderFailed } from './other-ways.tsx'
import { useContinueAfterSignIn } from './sign-in-form.tsx'

/** The page that the identity provider sends the browser back to: ends the sign-in, or the confirmation. */
export function ProviderPage() {
  const { t } = useTranslation()
  const [query] = useState(takeQuery)
  const [visit] = useState(lastProviderVisit)
  const { purpose } = visit
  const continueToPage = useContinueAfterSignIn(visit.purpose === 'sign in' ? visit.back : undefined)
  const ending = useMutation({
    mutationFn: async () => {
      if (purpose === 'sign in') return continueToPage(await signInWithProvider({ body: { query } }))
      await confirmWithProvider({ body: { query } })
      announceConfirmation()
      // This tab is only for the confirmation. Some browsers leave it open.
      window.close()
    },
  })
  const isBegun = useRef(false)
  // Once: the answer of the provider works once.
  useEffect(() => {
    if (!isBegun.current) ending.mutate()
    isBegun.current = true
  })
  return (
    <OutsidePage>
      <Stack>
        <PageTitle title={t(purpose === 'confirm' ? 'confirmation.title' : 'provider.title')} />
        {ending.isError && <ProviderFailed error={ending.error} purpose={purpose} />}
        {ending.isError && (
          <Anchor component={Link} to={purpose === 'confirm' ? paths.signInConfirm : paths.signIn}>
            {t('provider.again')}
          </Anchor>
        )}
        {ending.isSuccess && purpose === 'confirm' && <Text role="status">{t('provider.confirmed')}</Text>}
        {!ending.isError && !(ending.isSuccess && purpose === 'confirm') && <Loading />}
      </Stack>
    </OutsidePage>
  )
}

/** Removes the answer of the provider from the address at once, so that it stays out of the history. */
function takeQuery(): string {
  const query = location.search
  history.replaceState(history.state, '', location.pathname)
  return query
}

/** The page of the tab in which an operator confirms: leads to the identity provider at once. */
export function ProviderConfirmPage() {
  const { t } = useTranslation()
  const leaving = useMutation({
    mutationFn: () => beginProviderVisit({ purpose: 'confirm' }),
    // Nobody has to come back to this page.
    onSuccess: (url) => location.replace(url),
  })
  const isBegun = useRef(false)
  useEffect(() => {
    if (!isBegun.current) leaving.mutate()
    isBegun.current = true
  })
  return (
    <OutsidePage>
      <Stack>
        <PageTitle title={t('confirmation.title')} />
        {leaving.isError ? <ProviderFailed error={leaving.error} purpose="confirm" /> : <Loading />}
        {leaving.isError && (
          <Anchor component="button" type="button" onClick={() => leaving.mutate()}>
            {t('provider.again')}
          </Anchor>
        )}
      </Stack>
    </OutsidePage>
  )
}
