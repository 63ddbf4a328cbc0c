import { Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageTitle } from '../../../ui/page-title.tsx'
import { hasStatus } from '../../api/api-error.ts'
import { signInLinkQuery } from '../../api/session.ts'
import { Failure } from '../../feedback/failure.tsx'
import { Loading } from '../../feedback/loaded.tsx'
import { PasswordSetForm } from './password-set-form.tsx'

type LinkOpenedProps = { token: string; onDismiss(): void }

/** Checks a sign-in link before anybody types a password for it. */
export function LinkOpened({ token, onDismiss }: LinkOpenedProps) {
  const { t } = useTranslation()
  const owner = useQuery(signInLinkQuery(token))
  if (owner.data !== undefined) return <PasswordSetForm token={token} name={owner.data.name} onDismiss={onDismiss} />
  if (hasStatus(owner.error, 410)) return <LinkEnded onDismiss={onDismiss} />
  if (!owner.isError) return <Loading />
  return (
    <>
      <PageTitle title={t('password.setTitle')} />
      <Failure error={owner.error} onRetry={() => void owner.refetch()} />
    </>
  )
}

function LinkEnded({ onDismiss }: { onDismiss(): void }) {
  const { t } = useTranslation()
  return (
    <Stack role="alert">
      <PageTitle title={t('password.linkOverTitle')} />
      <Text>{t('password.linkOver')}</Text>
      <Text>{t('password.linkOverHelp')}</Text>
      <Button onClick={onDismiss}>{t('password.toSignIn')}</Button>
    </Stack>
  )
}
