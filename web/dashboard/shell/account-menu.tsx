import { Button, Menu, Text } from '@mantine/core'
import { CircleUser, LogOut, Settings } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { importQueue, isUnderWay as isImporting } from '../imports/import-queue.ts'
import { MenuLink } from '../navigation/links.tsx'
import { paths } from '../navigation/paths.ts'
import { isUnderWay, uploadQueue } from '../uploads/upload-queue.ts'
import { useSignOut } from './use-sign-out.ts'

/** The signed-in operator's menu: account and sign-out. */
export function AccountMenu({ name }: { name: string }) {
  const { t } = useTranslation()
  const leave = useSignOut()
  const [isAsking, setAsking] = useState(false)
  const signOutOrAsk = () => (isTransferring() ? setAsking(true) : leave.mutate())
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            leftSection={<CircleUser size={20} aria-hidden />}
            aria-label={t('nav.account', { name })}
          >
            <Text span inherit truncate maw={160} visibleFrom="sm">
              {name}
            </Text>
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('nav.account', { name })}>
          <MenuLink to={paths.account} leftSection={<Settings size={16} aria-hidden />}>
            {t('account.title')}
          </MenuLink>
          <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={signOutOrAsk}>
            {t('account.signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => leave.mutate()}
        confirming={leave}
        title={t('upload.leaveTitle')}
        confirmLabel={t('upload.leave')}
      >
        {t('upload.leaveHelp')}
      </ConfirmDialog>
    </>
  )
}

/** Tells whether signing out would interrupt files on their way. */
function isTransferring(): boolean {
  return uploadQueue.list().some(isUnderWay) || importQueue.list().some(isImporting)
}
