import { Button, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createPasskey, deletePasskey, type Passkey, passkeysQuery, signInMethodsQuery } from '../../api/passkeys.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Ago } from '../../components/ago.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { SubmitForm } from '../../forms/submit-form.tsx'
import { useFormat } from '../../i18n/format.ts'
import { PasskeyFailed } from '../../sign-in/passkey-failed.tsx'
import { RecoveryCodesView } from './recovery-codes-view.tsx'

type OpenDialog = 'add' | { removing: Passkey } | { codes: string[] } | undefined

/** The passkeys of the signed-in operator. */
export function PasskeysPanel() {
  const { t } = useTranslation()
  const passkeys = useQuery(passkeysQuery)
  const methods = useQuery(signInMethodsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const removing = typeof dialog === 'object' && 'removing' in dialog ? dialog.removing : undefined
  const codes = typeof dialog === 'object' && 'codes' in dialog ? dialog.codes : undefined
  const isPossible = methods.data?.passkeys === true && 'PublicKeyCredential' in window
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('passkey.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t(methods.data === undefined || isPossible ? 'passkey.help' : 'passkey.unavailable')}
      </Text>
      <Loaded query={passkeys}>
        {(list) => <Passkeys passkeys={list} onRemove={(passkey) => setDialog({ removing: passkey })} />}
      </Loaded>
      {isPossible && (
        <Button size="xs" onClick={() => setDialog('add')}>
          {t('passkey.add')}
        </Button>
      )}
      <Dialog title={t('passkey.add')} opened={dialog === 'add'} onClose={close}>
        <PasskeyAdd onAdded={(made) => setDialog(made === null ? undefined : { codes: made })} onCancel={close} />
      </Dialog>
      {removing !== undefined && <PasskeyRemove passkey={removing} onClose={close} />}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </Paper>
  )
}

function Passkeys({ passkeys, onRemove }: { passkeys: readonly Passkey[]; onRemove(passkey: Passkey): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (passkeys.length === 0) return null
  return (
    <Stack component="ul" p={0} m={0} mb="md" style={{ listStyle: 'none' }}>
      {passkeys.map((passkey) => (
        <Group component="li" key={passkey.id} justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Fingerprint size={20} aria-hidden style={{ flexShrink: 0 }} />
            <div>
              <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
                {passkey.name}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {t('passkey.since', { time: format.date(passkey.created_at) })}
                {' · '}
                {passkey.last_used_at === null ? (
                  t('passkey.neverUsed')
                ) : (
                  <>
                    {t('passkey.lastUsed')} <Ago time={passkey.last_used_at} />
                  </>
                )}
              </Text>
            </div>
          </Group>
          <Button
            size="xs"
            variant="default"
            flex="none"
            onClick={() => onRemove(passkey)}
            aria-label={t('passkey.removeThis', { name: passkey.name })}
          >
            {t('passkey.remove')}
          </Button>
        </Group>
      ))}
    </Stack>
  )
}

function PasskeyAdd({ onAdded, onCancel }: { onAdded(codes: string[] | null): void; onCancel(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? t('field.nameMissing') : null) },
  })
  const adding = useMutation({
    mutationFn: (name: string) => createPasskey(name),
    onSuccess: async ({ recovery_codes }) => {
      notify(t('passkey.added'))
      onAdded(recovery_codes)
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors })
    },
  })
  return (
    <SubmitForm
      onSubmit={form.onSubmit(({ name }) => adding.mutate(name.trim()))}
      submitting={adding}
      submitLabel={t('passkey.create')}
      onCancel={onCancel}
      describe={(error) => <PasskeyFailed error={error} />}
    >
      <TextInput
        label={t('passkey.name')}
        description={t('passkey.nameHelp')}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
    </SubmitForm>
  )
}

function PasskeyRemove({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: () => deletePasskey(passkey.id),
    onSuccess: async () => {
      onClose()
      notify(t('passkey.removed'))
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      confirming={removing}
      title={t('passkey.removeThis', { name: passkey.name })}
      confirmLabel={t('passkey.remove')}
    >
      {t('passkey.removeHelp')}
    </ConfirmDialog>
  )
}
