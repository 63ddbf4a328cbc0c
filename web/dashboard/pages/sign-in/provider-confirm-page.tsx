import { Anchor, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { beginProviderVisit } from '../../api/provider.ts'
import { Loading } from '../../feedback/loaded.tsx'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { ProviderFailed } from '../../sign-in/provider-failed.tsx'

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
