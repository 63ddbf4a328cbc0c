import { Group, Text } from '@mantine/core'
import iconUrl from './icon.svg'

/** The name of the program with its logo. */
export function Brand() {
  return (
    <Group gap="xs" wrap="nowrap">
      <img src={iconUrl} alt="" width={28} height={28} />
      <Text component="span" fw={650} size="lg">
        Trackpress
      </Text>
    </Group>
  )
}
