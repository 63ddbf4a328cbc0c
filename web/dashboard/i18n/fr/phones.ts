import type { phones as english } from '../en/phones.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Recording with the common apps. */
export const phones: TextsOf<typeof english> = {
  'phones.title': 'Enregistrer avec une application existante',
  'phones.explanation':
    'Chacun peut enregistrer avec une application qu’il a déjà. Son téléphone apparaît sur la carte en direct dès le premier point.',
  'phones.guide': 'En savoir plus sur ces applications (en anglais)',
  'phones.noToken': 'Pas encore de jeton pour les téléphones',
  'phones.noTokenHelp':
    'Une adresse ou un code QR peut être vu par d’autres. Les téléphones ont donc besoin d’un jeton qui ne fait qu’enregistrer, de préférence un par personne. Les autres jetons de cet événement permettent de lire ou de supprimer les traces de tous : ils ne sont pas proposés ici.',
  'phones.person': 'À qui est ce téléphone ?',
  'phones.personHelp': 'Un nom ou un numéro. Il devient le user_id des traces.',
  'phones.personMissing': 'Saisissez un nom ou un numéro',
  'phones.createForOne': 'Créer un jeton pour cette personne',
  'phones.createForAll': 'Un seul jeton pour tous les téléphones',
  'phones.allPhones': 'Téléphones',
  'phones.everyone': 'Tout le monde',
  'phones.token': 'Jeton d’application',
  'phones.tokenOfAll':
    'Pour tous ceux qui reçoivent l’adresse. Ce jeton ne fait qu’enregistrer, et chaque téléphone doit envoyer son propre identifiant.',
  'phones.tokenOfOne':
    'Pour une seule personne : {{user}}. Toutes les traces de ce téléphone lui appartiennent, et il ne voit aucune autre trace.',
  'phones.idTitle': 'Chaque téléphone a besoin d’un nom',
  'phones.idHelp':
    'Plusieurs personnes peuvent utiliser cette adresse. L’identifiant de l’appareil dans l’application les distingue et devient la personne de la trace. Pour donner à chacun sa propre adresse, créez un jeton par personne.',
  'phones.app': 'Application',
  'phones.address': 'Adresse pour l’application',
  'phones.openApp': 'Configurer ce téléphone',
  'phones.qr': 'Code QR qui configure {{app}}',
  'phones.qrLink': 'Scannez-le avec l’appareil photo du téléphone. L’application s’ouvre et se configure.',
  'phones.qrAddress': 'Scannez-le avec l’appareil photo du téléphone, puis copiez l’adresse.',

  'phones.traccar1': 'Installez Traccar Client et autorisez l’accès permanent à la position.',
  'phones.traccar2':
    'Scannez le code, avec l’appareil photo ou dans les réglages de l’application. Ou saisissez-y l’adresse comme URL du serveur.',
  'phones.traccar3': 'Activez le suivi continu.',
  'phones.overland1': 'Installez Overland et autorisez l’accès permanent à la position.',
  'phones.overland2': 'Scannez le code. Ou saisissez l’adresse dans les réglages de l’application (Receiver Endpoint).',
  'phones.overland3': 'Activez le suivi, avec la meilleure précision et un envoi à quelques secondes d’intervalle.',
  'phones.owntracks1': 'Installez OwnTracks et autorisez l’accès permanent à la position.',
  'phones.owntracks2':
    'Scannez le code, puis donnez au téléphone son propre identifiant (Identification). Ou choisissez le mode HTTP et saisissez l’adresse.',
  'phones.owntracks2One': 'Scannez le code. Ou choisissez le mode HTTP et saisissez l’adresse.',
  'phones.owntracks3': 'Laissez la clé de chiffrement vide et choisissez le mode de suivi « déplacement » (move).',
  'phones.osmand1':
    'Dans OsmAnd, activez le plugin d’enregistrement d’itinéraire et, dans ses réglages, le suivi en ligne.',
  'phones.osmand2': 'Saisissez l’adresse comme adresse Web, avec votre nom à la place de NAME.',
  'phones.osmand2One': 'Saisissez l’adresse comme adresse Web.',
  'phones.osmand3': 'Démarrez l’enregistrement. OsmAnd n’envoie que pendant qu’il enregistre.',
  'phones.gpslogger1': 'Installez GPSLogger et autorisez l’accès permanent à la position.',
  'phones.gpslogger2':
    'Ouvrez cette page sur le téléphone et touchez « Configurer ce téléphone ». Ou activez l’URL personnalisée dans les détails de l’enregistrement et saisissez l’adresse.',
  'phones.gpslogger3': 'Démarrez l’enregistrement.',
}
