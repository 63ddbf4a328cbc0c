import { Button, Center, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { hasStatus } from '../api/api-error.ts'
import { factorAnswers } from '../api/query-client.ts'
import { ConfirmDialog, Dialog } from '../components/dialogs.tsx'
import { FormAlert, Loaded, notify } from '../components/feedback.tsx'
import { ResourceForm } from '../components/forms.tsx'
import { RowButton } from '../components/lists.tsx'
import { Panel } from '../components/panel.tsx'
import { listSecondFactorsOptions } from '../generated/@tanstack/react-query.gen.ts'
import {
  addAuthenticatorApp,
  createAuthenticatorApp,
  deleteAuthenticatorApp,
  replaceRecoveryCodes,
} from '../generated/sdk.gen.ts'
import type { SecondFactorList } from '../generated/types.gen.ts'
import { useFormat } from '../i18n/format.ts'
import { AccountList, AccountRow, FactorRemove, RecoveryCodesView } from './account-panel.tsx'

type OpenDialog = 'set up' | 'remove' | 'replace' | { codes: string[] } | undefined

/** The second factors of the signed-in operator. */
export function SecurityPanel() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const factors = useQuery(listSecondFactorsOptions())
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const showCodes = (codes: string[] | null) => {
    setDialog(codes === null ? undefined : { codes })
    void client.invalidateQueries(factorAnswers())
  }
  const codes = typeof dialog === 'object' ? dialog.codes : undefined
  return (
    <Panel title={t('security.title')} help={t('security.explanation')}>
      <Loaded query={factors}>{(found) => <Factors factors={found} onOpen={setDialog} />}</Loaded>
      <Dialog title={t('security.appAddThis')} opened={dialog === 'set up'} onClose={close}>
        <AppSetUp onAdded={showCodes} onCancel={close} />
      </Dialog>
      {dialog === 'remove' && (
        <FactorRemove
          action={() => deleteAuthenticatorApp()}
          title={t('security.appRemoveThis')}
          confirmLabel={t('security.appRemove')}
          doneMessage={t('security.appRemoved')}
          help={(isRequired) => t(isRequired ? 'requiredFactor.removeHelp' : 'security.appRemoveHelp')}
          onClose={close}
        />
      )}
      {dialog === 'replace' && <CodesReplace onClose={close} onReplaced={showCodes} />}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </Panel>
  )
}

function Factors({ factors, onOpen }: { factors: SecondFactorList; onOpen(dialog: OpenDialog): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { authenticator_app: since, recovery_codes_left: left, has_factor: hasFactor } = factors
  return (
    <AccountList>
      <AccountRow
        icon={Smartphone}
        name={t('security.app')}
        help={since === null ? t('security.appHelp') : t('security.appSince', { time: format.date(since) })}
      >
        {since === null ? (
          <Button size="xs" onClick={() => onOpen('set up')} aria-label={t('security.appAddThis')}>
            {t('security.appAdd')}
          </Button>
        ) : (
          <RowButton onClick={() => onOpen('remove')} aria-label={t('security.appRemoveThis')}>
            {t('security.appRemove')}
          </RowButton>
        )}
      </AccountRow>
      {hasFactor && (
        <AccountRow icon={KeyRound} name={t('security.codes')} help={t('security.codesLeft', { count: left })}>
          <RowButton onClick={() => onOpen('replace')}>{t('security.codesReplaceThis')}</RowButton>
        </AccountRow>
      )}
    </AccountList>
  )
}

type CodesReplaceProps = { onClose(): void; onReplaced(codes: string[]): void }

function CodesReplace({ onClose, onReplaced }: CodesReplaceProps) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      onClose={onClose}
      action={() => replaceRecoveryCodes()}
      onDone={({ recovery_codes }) => onReplaced(recovery_codes)}
      title={t('security.codesReplaceThis')}
      confirmLabel={t('security.codesReplaceThis')}
      isHarmless
    >
      {t('security.codesReplaceHelp')}
    </ConfirmDialog>
  )
}

type AppSetUpProps = {
  /** Called with the recovery codes, if these are the first ones. */
  onAdded(codes: string[] | null): void
  onCancel(): void
}

/** Shows the secret for an authenticator app, as a QR code and as text, and confirms the app by a code of it. */
function AppSetUp({ onAdded, onCancel }: AppSetUpProps) {
  // Each time the dialog opens there is a new secret, which is not kept any longer than that.
  const setUp = useQuery({
    queryKey: ['authenticator-app'],
    queryFn: () => createAuthenticatorApp(),
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
  const describe = (error: unknown) => {
    if (hasStatus(error, 410)) return <FormAlert>{t('security.appEnded')}</FormAlert>
    return hasStatus(error, 403) && <FormAlert>{t('security.appWrong')}</FormAlert>
  }
  return (
    <ResourceForm
      form={form}
      save={(body) => addAuthenticatorApp({ body })}
      onSaved={({ recovery_codes }) => {
        notify(t('security.appAdded'))
        onAdded(recovery_codes)
      }}
      onFailed={() => form.getInputNode('code')?.focus()}
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
    </ResourceForm>
  )
}
