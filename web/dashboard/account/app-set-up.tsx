import { Center, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { hasStatus } from '../api/api-error.ts'
import { confirmAuthenticatorApp, createAuthenticatorApp } from '../api/factors.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Loaded } from '../feedback/loaded.tsx'
import { notify } from '../feedback/notify.ts'
import { FormAlert } from '../forms/form-alert.tsx'
import { SubmitForm } from '../forms/submit-form.tsx'

type AppSetUpProps = {
  /** Called with the recovery codes, if these are the first ones. */
  onAdded(codes: string[] | null): void
  onCancel(): void
}

/** Shows the secret for an authenticator app, as a QR code and as text, and confirms the app by a code of it. */
export function AppSetUp({ onAdded, onCancel }: AppSetUpProps) {
  // Each time the dialog opens there is a new secret, which is not kept any longer than that.
  const setUp = useQuery({
    queryKey: queryKeys.authenticatorApp,
    queryFn: createAuthenticatorApp,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={setUp}>
      {({ secret, address }) => (
        <Stack>
          <Secret secret={secret} address={address} />
          <AppConfirm onAdded={onAdded} onCancel={onCancel} />
        </Stack>
      )}
    </Loaded>
  )
}

function Secret({ secret, address }: { secret: string; address: string }) {
  const { t } = useTranslation()
  return (
    <>
      <Text>{t('security.appScan')}</Text>
      <Center>
        <QrCode text={address} label={t('security.appQr')} />
      </Center>
      <div>
        <Text size="sm">{t('security.appSecret')}</Text>
        <Group justify="space-between" gap="xs" mt={4}>
          <Code fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {secret.match(/.{1,4}/g)?.join(' ')}
          </Code>
          <CopyButton size="xs" value={secret} label={t('security.appSecretCopy')} copiedLabel={t('action.copied')} />
        </Group>
      </div>
    </>
  )
}

function AppConfirm({ onAdded, onCancel }: AppSetUpProps) {
  const { t } = useTranslation()
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } })
  const confirming = useMutation({
    mutationFn: confirmAuthenticatorApp,
    onSuccess: ({ recovery_codes }) => {
      notify(t('security.appAdded'))
      onAdded(recovery_codes)
    },
    onError: () => form.getInputNode('code')?.focus(),
  })
  const describe = (error: unknown) => {
    if (hasStatus(error, 410)) return <FormAlert>{t('security.appEnded')}</FormAlert>
    return hasStatus(error, 403) && <FormAlert>{t('security.appWrong')}</FormAlert>
  }
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ code }) => confirming.mutate(code))}
      submitting={confirming}
      submitLabel={t('security.appConfirm')}
      onCancel={onCancel}
      describe={describe}
    >
      <TextInput
        label={t('security.appCode')}
        required
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={20}
        data-autofocus
        key={form.key('code')}
        {...form.getInputProps('code')}
      />
    </SubmitForm>
  )
}
