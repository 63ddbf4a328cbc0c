import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { LogIn } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { beginProviderVisit, type ProviderVisit } from '../api/provider.ts'
import { ProviderFailed } from './provider-failed.tsx'

type ProviderButtonProps = Pick<ProviderVisit, 'purpose'> & {
  /** Text from the settings; empty for that of the dashboard. */
  text: string
  /** Address to return to; this one by default. */
  back?: string
}

/** Leads to the identity provider. */
export function ProviderButton({ purpose, text, back }: ProviderButtonProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const leaving = useMutation({
    mutationFn: () => beginProviderVisit({ purpose, back: back ?? router.latestLocation.href }),
    onSuccess: (url) => location.assign(url),
  })
  return (
    <>
      {leaving.isError && <ProviderFailed error={leaving.error} purpose={purpose} />}
      <Button
        variant="default"
        // Texts from the settings may need two lines on a phone.
        h="auto"
        mih={36}
        py={6}
        styles={{ label: { whiteSpace: 'normal' } }}
        leftSection={<LogIn size={18} aria-hidden />}
        loading={leaving.isPending}
        onClick={() => leaving.mutate()}
      >
        {text || t('provider.signIn')}
      </Button>
    </>
  )
}
