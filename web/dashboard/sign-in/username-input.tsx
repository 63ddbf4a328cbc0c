import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shows the name that a password belongs to, so that people and password managers note both together. */
export function UsernameInput({ name }: { name: string }) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('signIn.yourName')}
      value={name}
      readOnly
      name="username"
      autoComplete="username"
      variant="filled"
      styles={{ input: { textOverflow: 'ellipsis' } }}
    />
  )
}
