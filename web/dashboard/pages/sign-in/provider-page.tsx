import { Anchor, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { confirmWithProvider, lastProviderVisit, signInWithProvider } from '../../api/provider.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Loading } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { paths } from '../../navigation/paths.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { ProviderFailed } from '../../sign-in/provider-failed.tsx'
import { useContinueAfterSignIn } from './use-continue-after-sign-in.ts'

/** The page that the identity provider sends the browser back to: ends the sign-in, or the confirmation. */
export function ProviderPage() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const router = useRouter()
  const [query] = useState(takeQuery)
  const [{ purpose, back }] = useState(lastProviderVisit)
  const continueToPage = useContinueAfterSignIn(back)
  const ending = useMutation({
    mutationFn: async () => {
      if (purpose === 'sign in') return continueToPage(await signInWithProvider(query))
      await confirmWithProvider(query)
      await client.invalidateQueries({ queryKey: queryKeys.session })
      notify(t('provider.confirmed'))
      router.history.push(router.basepath + back)
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
        <PageTitle title={t('provider.title')} />
        {ending.isError ? <ProviderFailed error={ending.error} purpose={purpose} /> : <Loading />}
        {ending.isError && (
          <Anchor component={Link} to={purpose === 'confirm' ? paths.home : paths.signIn}>
            {t(purpose === 'confirm' ? 'provider.back' : 'provider.again')}
          </Anchor>
        )}
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
