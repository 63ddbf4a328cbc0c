import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deleteAuthenticatorApp,
  replaceRecoveryCodes,
  type SecondFactorList,
  secondFactorsQuery,
} from '../api/factors.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Dialog } from '../components/dialog.tsx'
import { Loaded } from '../feedback/loaded.tsx'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { useFormat } from '../i18n/format.ts'
import { AccountList, AccountPanel, AccountRow } from './account-panel.tsx'
import { AppSetUp } from './app-set-up.tsx'
import { RecoveryCodesView } from './recovery-codes-view.tsx'
import { useFactorRemoval } from './use-factor-removal.ts'

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
    <AccountPanel title={t('security.title')} explanation={t('security.explanation')}>
      <Loaded query={factors}>{(found) => <Factors factors={found} onOpen={setDialog} />}</Loaded>
      <Dialog title={t('security.appAddThis')} opened={dialog === 'set up'} onClose={close}>
        <AppSetUp onAdded={showCodes} onCancel={close} />
      </Dialog>
      {dialog === 'remove' && <AppRemove onClose={close} />}
      {dialog === 'replace' && <CodesReplace onClose={close} onReplaced={showCodes} />}
      <Dialog title={t('security.codes')} opened={codes !== undefined} onClose={close}>
        {codes !== undefined && <RecoveryCodesView codes={codes} onDone={close} />}
      </Dialog>
    </AccountPanel>
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
          <Button size="xs" variant="default" onClick={() => onOpen('remove')} aria-label={t('security.appRemoveThis')}>
            {t('security.appRemove')}
          </Button>
        )}
      </AccountRow>
      {hasFactor && (
        <AccountRow icon={KeyRound} name={t('security.codes')} help={t('security.codesLeft', { count: left })}>
          <Button size="xs" variant="default" onClick={() => onOpen('replace')}>
            {t('security.codesReplaceThis')}
          </Button>
        </AccountRow>
      )}
    </AccountList>
  )
}

function AppRemove({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  const { removing, isRequired } = useFactorRemoval(deleteAuthenticatorApp, t('security.appRemoved'), onClose)
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => removing.mutate()}
      confirming={removing}
      title={t('security.appRemoveThis')}
      confirmLabel={t('security.appRemove')}
    >
      {t(isRequired ? 'requiredFactor.removeHelp' : 'security.appRemoveHelp')}
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
