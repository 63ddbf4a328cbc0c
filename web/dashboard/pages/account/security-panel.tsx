import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deleteAuthenticatorApp,
  replaceRecoveryCodes,
  type SecondFactorList,
  secondFactorsQuery,
} from '../../api/factors.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Loaded } from '../../feedback/loaded.tsx'
import { notify } from '../../feedback/notify.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useFormat } from '../../i18n/format.ts'
import { AppSetUp } from './app-set-up.tsx'
import { RecoveryCodesView } from './recovery-codes-view.tsx'

type OpenDialog = 'set up' | 'remove' | 'replace' | { codes: string[] } | undefined

/** The second factors of the signed-in operator. */
export function SecurityPanel() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const factors = useQuery(secondFactorsQuery)
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = () => setDialog(undefined)
  const showCodes = (codes: string[] | null) => {
    setDialog(codes === null ? undefined : { codes })
    void client.invalidateQueries({ queryKey: queryKeys.secondFactors })
  }
  const codes = typeof dialog === 'object' ? dialog.codes : undefined
  return (
    <Paper withBorder p="lg" bg="var(--panel-background)">
      <Title order={2} mb="xs">
        {t('security.title')}
      </Title>
      <Text size="sm" c="dimmed" mb="md">
        {t('security.explanation')}
      </Text>
      <Loaded query={factors}>{(found) => <Factors factors={found} onOpen={setDialog} />}</Loaded>
      <Dialog title={t('security.appAddThis')} opened={dialog === 'set up'} onClose={close}>
        <AppSetUp onAdded={showCodes} onCancel={close} />
      </Dialog>
      {dialog === 'remove' && <AppRemove onClose={close} />}
      {dialog === 'replace' && <CodesReplace onClose={close} onReplaced={showCodes} />}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </Paper>
  )
}

function Factors({ factors, onOpen }: { factors: SecondFactorList; onOpen(dialog: OpenDialog): void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { authenticator_app: since, recovery_codes_left: left, has_factor: hasFactor } = factors
  return (
    <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      <Factor
        icon={<Smartphone size={20} aria-hidden style={{ flexShrink: 0 }} />}
        name={t('security.app')}
        help={since === null ? t('security.appHelp') : t('security.appSince', { time: format.date(since) })}
      >
        {since === null ? (
          <Button size="xs" onClick={() => onOpen('set up')} aria-label={t('security.appAddThis')}>
            {t('security.appAdd')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => onOpen('remove')} aria-label={t('security.appRemoveThis')}>
            {t('security.appRemove')}
          </Button>
        )}
      </Factor>
      {hasFactor && (
        <Factor
          icon={<KeyRound size={20} aria-hidden style={{ flexShrink: 0 }} />}
          name={t('security.codes')}
          help={t('security.codesLeft', { count: left })}
        >
          <Button size="xs" variant="default" onClick={() => onOpen('replace')}>
            {t('security.codesReplaceThis')}
          </Button>
        </Factor>
      )}
    </Stack>
  )
}

type FactorProps = { icon: ReactNode; name: string; help: string; children: ReactNode }

function Factor({ icon, name, help, children }: FactorProps) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        {icon}
        <div>
          <Text fw={500}>{name}</Text>
          <Text size="sm" c="dimmed">
            {help}
          </Text>
        </div>
      </Group>
      <div style={{ flex: 'none' }}>{children}</div>
    </Group>
  )
}

function AppRemove({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const removing = useMutation({
    mutationFn: deleteAuthenticatorApp,
    onSuccess: async () => {
      onClose()
      notify(t('security.appRemoved'))
      await client.invalidateQueries({ queryKey: queryKeys.secondFactors })
    },
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      confirming={removing}
      title={t('security.appRemoveThis')}
      confirmLabel={t('security.appRemove')}
    >
      {t('security.appRemoveHelp')}
    </ConfirmDialog>
  )
}

function CodesReplace({ onClose, onReplaced }: { onClose(): void; onReplaced(codes: string[]): void }) {
  const { t } = useTranslation()
  const replacing = useMutation({
    mutationFn: replaceRecoveryCodes,
    onSuccess: ({ recovery_codes }) => onReplaced(recovery_codes),
  })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => replacing.mutate()}
      confirming={replacing}
      title={t('security.codesReplaceThis')}
      confirmLabel={t('security.codesReplaceThis')}
      isHarmless
    >
      {t('security.codesReplaceHelp')}
    </ConfirmDialog>
  )
}
