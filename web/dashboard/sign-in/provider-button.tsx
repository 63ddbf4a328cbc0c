import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { beginProviderVisit } from '../api/provider.ts'
import { ProviderFailed } from './provider-failed.tsx'
import { PROVIDER_LOOK } from './provider-look.tsx'

type ProviderButtonProps = {
  /** Text from the settings; empty for that of the dashboard. */
  text: string
  /** Address to return to; this one by default. */
  back?: string
}

/** Leads to the identity provider, to sign in. */
export function ProviderButton({ text, back }: ProviderButtonProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const leaving = useMutation({
    mutationFn: () => beginProviderVisit({ purpose: 'sign in', back: back ?? router.latestLocation.href }),
    onSuccess: (url) => location.assign(url),
  })
  return (
    <>
      {leaving.isError && <ProviderFailed error={leaving.error} purpose="sign in" />}
      <Button {...PROVIDER_LOOK} loading={leaving.isPending} onClick={() => leaving.mutate()}>
        {text || t('provider.signIn')}
      </Button>
    </>
  )
}
