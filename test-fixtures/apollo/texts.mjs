// The documents of the demo: file, label (fictional), title, author, paragraphs. Written for this project.
export const TEXTS = [
  { file: 'apollo-7-first-flight.html', label: '*', title: 'Apollo 7: the first crewed flight', author: 'Demo Press Office', text: [
    'Apollo 7 left Launch Complex 34 on 11 October 1968 with Wally Schirra, Donn Eisele and Walt Cunningham aboard. It was the first crewed flight of the command and service module, and it flew on a Saturn IB because the mission stayed in Earth orbit.',
    'The service propulsion engine was fired eight times and worked each time. All three men caught colds, which made the ten days long ones, and the crew argued with Mission Control about television and helmets. USS Essex picked them up in the Atlantic.'] },
  { file: 'apollo-8-around-the-moon.pdf', label: '*', title: 'Apollo 8: around the Moon', author: 'Demo Press Office', text: [
    'Frank Borman, James Lovell and Bill Anders were the first people to ride a Saturn V and the first to leave Earth orbit. Apollo 8 entered lunar orbit on 24 December 1968 and circled the Moon ten times in twenty hours.',
    'On the fourth orbit William Anders took the colour photograph that became known as Earthrise. The crew had no lunar module with them; a failure of the service propulsion engine behind the Moon could not have been repaired.'] },
  { file: 'apollo-9-spider-and-gumdrop.txt', label: '*', title: 'Apollo 9: Spider and Gumdrop', author: 'Demo Press Office', text: [
    'Apollo 9 tested the lunar module Spider in Earth orbit in March 1969. Jim McDivitt and Rusty Schweickart flew it away from Gumdrop, where Dave Scott stayed alone, and came back after six hours.',
    'Schweickart stood on the porch of the lunar module for 37 minutes in the suit that would be worn on the Moon.'] },
  { file: 'apollo-10-dress-rehearsal.docx', label: '*', title: 'Apollo 10: the dress rehearsal', author: 'Demo Flight Planning', text: [
    'Apollo 10 did everything but land. Tom Stafford and Gene Cernan took Snoopy down to 15.6 kilometres above the surface in May 1969, while John Young stayed in Charlie Brown.',
    'During staging the lunar module tumbled for some seconds, because the crew had set the guidance mode twice. Stafford took over by hand. It is the only flight of the programme that left from Launch Complex 39B.'] },
  { file: 'apollo-11-landing.pdf', label: '*', title: 'Apollo 11: the landing', author: 'Demo Press Office', text: [
    'Neil Armstrong and Buzz Aldrin landed Eagle at Tranquility Base on 20 July 1969 at 20:17:40 UTC. Michael Collins remained in lunar orbit in Columbia.',
    'Five program alarms, 1201 and 1202, came up during the descent, because the rendezvous radar was stealing cycles from the guidance computer. The computer dropped work of low priority, as it was designed to do, and the landing went on. Armstrong flew past a field of boulders and put the lunar module down with fuel for less than a minute.',
    'They collected 21.6 kilograms of samples in one walk of two and a half hours, and left a seismometer and a laser reflector. USS Hornet recovered the crew on 24 July.'] },
  { file: 'apollo-11-descent-fuel.eml', label: 'clearance=S & nationality=GBR', title: 'Descent fuel margin', author: 'retro@example.org', text: [
    'The low level light came on about thirty seconds early because fuel was sloshing in the tanks. After landing, the real margin was some 45 seconds, not 20. Please use 45 in the revised descent budget.',
    'Neil A. Armstrong confirmed that he would have gone on below the abort limit. This note and its label are fiction for the demonstration; the figures are public.'] },
  { file: 'apollo-12-lightning.html', label: '*', title: 'Apollo 12: struck by lightning', author: 'Demo Press Office', text: [
    'Apollo 12 was struck by lightning twice in the first minute after launch on 14 November 1969. The fuel cells dropped off line and the telemetry turned to nonsense. John Aaron in Mission Control remembered a test and called for SCE to AUX; Alan Bean knew where the switch was.',
    'Charles Conrad and Alan L. Bean landed Intrepid in the Ocean of Storms, 163 metres from the Surveyor 3 probe, and brought back its camera. Dick Gordon waited in Yankee Clipper.'] },
  { file: 'apollo-13-chronology.txt', label: '*', title: 'Apollo 13: chronology', author: 'Demo Press Office', text: [
    'Apollo 13 was launched on 11 April 1970. At 03:08 UTC on 14 April an oxygen tank of the service module failed, 330,000 kilometres from Earth. Jim Lovell, Jack Swigert and Fred Haise moved to the lunar module Aquarius and used it as a lifeboat for four days.',
    'Engineers made a way to use square lithium hydroxide canisters in round openings with hose, cards and tape. The crew shut Odyssey down, and powered it up again two hours before re-entry. USS Iwo Jima recovered them on 17 April.'] },
  { file: 'apollo-13-tank-review.pdf', label: 'clearance=TS', title: 'Oxygen tank 2: findings of the review', author: 'Demo Review Board', text: [
    'The thermostats of the heater in oxygen tank 2 were rated for 28 volts, and the launch site supplied 65. During a special detanking before launch they welded shut, and the heater reached more than 500 degrees Celsius. The insulation of the fan wiring was damaged.',
    'When Swigert switched on the fans on 14 April 1970 the wiring arced and the Teflon burned. Findings: change the switches, remove the fans, add a third tank. The label of this paper is fiction; the findings have been public since 1970.'] },
  { file: 'apollo-13-crew-health.docx', label: 'clearance=S', title: 'Crew health after the return', author: 'Demo Medical Office', text: [
    'James A. Lovell lost six kilograms during the flight. Fred W. Haise had a urinary infection with fever. The cabin stood at 6 degrees Celsius for two days and the ration of water was 200 millilitres a day.',
    'Ken Mattingly, who was replaced three days before launch because he had been exposed to rubella, never fell ill. The label of this paper is fiction for the demonstration.'] },
  { file: 'apollo-14-fra-mauro.html', label: '*', title: 'Apollo 14: Fra Mauro', author: 'Demo Press Office', text: [
    'Alan Shepard and Ed Mitchell landed Antares near Fra Mauro on 5 February 1971, where Apollo 13 should have gone. A loose ball of solder in the abort switch nearly ended the descent; new program lines were typed in by hand.',
    'They pulled a hand cart towards the rim of Cone crater and turned back some 20 metres from it without knowing. Stuart Roosa carried tree seeds in Kitty Hawk that were later planted as Moon trees.'] },
  { file: 'apollo-15-hadley-geology.pdf', label: '*', title: 'Apollo 15: geology at Hadley Rille', author: 'Demo Science Office', text: [
    'David R. Scott and Jim Irwin spent nearly three days at Hadley Rille with the first lunar rover. On Spur crater they found sample 15415, a piece of anorthosite some 4.1 billion years old, which newspapers called the Genesis Rock.',
    'Al Worden operated a bay of cameras and spectrometers in Endeavour and made the first walk in deep space to bring back the film. Scott dropped a hammer and a feather at the end of the last walk; they fell together.'] },
  { file: 'apollo-15-postal-covers.eml', label: 'clearance=OS & nationality=USA', title: 'Postal covers', author: 'inspector@example.org', text: [
    'Some 400 unauthorised postal covers were carried aboard Endeavour and Falcon. David Scott, Alfred Worden and James Irwin do not fly again. The rule for personal preference kits is tightened from Apollo 16 on.',
    'The label of this message is fiction; the story has been public since 1972.'] },
  { file: 'apollo-16-descartes.docx', label: '*', title: 'Apollo 16: Descartes Highlands', author: 'Demo Science Office', text: [
    'John W. Young and Charlie Duke landed Orion in the Descartes Highlands on 21 April 1972, six hours late, because a backup control loop of the service propulsion engine of Casper oscillated. Ken Mattingly flew Casper alone.',
    'The geologists had expected volcanic rock; the samples were breccias, made by impacts. Big Muley, with 11.7 kilograms, is the largest rock that was brought back.'] },
  { file: 'apollo-17-orange-soil.html', label: '*', title: 'Apollo 17: orange soil', author: 'Demo Science Office', text: [
    'Harrison Schmitt, a geologist, and Gene Cernan landed Challenger in the valley Taurus-Littrow on 11 December 1972. At Shorty crater Schmitt found orange soil: beads of volcanic glass some 3.6 billion years old.',
    'They drove 35.7 kilometres in the lunar rover and mended its fender with maps and clamps. Ron Evans stayed in America. Nobody has been to the Moon since.'] },
  { file: 'saturn-v-data.csv', label: '*', title: 'Saturn V data', author: 'Demo Vehicle Office', rows: [
    ['stage', 'contractor', 'engines', 'propellant', 'thrust kN'],
    ['S-IC', 'Boeing', '5 F-1', 'RP-1 and liquid oxygen', '33851'],
    ['S-II', 'North American Aviation', '5 J-2', 'liquid hydrogen and liquid oxygen', '5141'],
    ['S-IVB', 'Douglas Aircraft', '1 J-2', 'liquid hydrogen and liquid oxygen', '901']] },
  { file: 'guidance-computer.md', label: '*', title: 'The Apollo guidance computer', author: 'Demo Vehicle Office', text: [
    'The Apollo guidance computer had 2,048 words of erasable and 36,864 words of fixed memory, of 15 bits and parity. The fixed memory was core rope, woven by hand. Margaret Hamilton led the team that wrote the flight software.',
    'The executive scheduled jobs by priority and restarted after an overload without losing the work that mattered. That saved the landing of Apollo 11.'] },
  { file: 'lunar-rover-handbook.pdf', label: 'clearance=O', title: 'Lunar rover: notes for drivers', author: 'Demo Vehicle Office', text: [
    'The lunar rover was built by Boeing, weighed 210 kilograms on Earth and carried 490. Four electric motors of a quarter horsepower drove wheels of woven zinc-coated steel wire. LRV-1, LRV-2 and LRV-3 are still at Hadley Rille, in the Descartes Highlands and at Taurus-Littrow.',
    'Do not drive farther from the lunar module than you can walk back. The highest speed, 18 kilometres an hour, was reached downhill by Eugene Cernan.'] },
  { file: 'recovery-operations.docx', label: 'nationality=USA | nationality=GBR', title: 'Recovery operations in the Pacific', author: 'Demo Recovery Office', text: [
    'USS Hornet recovered Apollo 11 and Apollo 12. Swimmers attach a flotation collar within ten minutes after splashdown. After Apollo 11, Apollo 12 and Apollo 14 the crews went into quarantine in a converted trailer.',
    'USS Ticonderoga will recover the last two missions. The label of this paper is fiction for the demonstration.'] },
  { file: 'surface-experiments.txt', label: '*', title: 'Surface experiments', author: 'Demo Science Office', text: [
    'Each crew from Apollo 12 on left an experiments package with a radioisotope generator. The seismometers recorded moonquakes until 30 September 1977. The laser reflectors of Apollo 11, Apollo 14 and Apollo 15 are still in use: the Moon recedes 38 millimetres a year.'] },
  { file: 'budget-outlook.eml', label: 'clearance=S & nationality=USA', title: 'Outlook for Apollo 18 to 20', author: 'budget@example.org', text: [
    'Apollo 20 was cancelled in January 1970 to free a Saturn V for Skylab, and Apollo 18 and 19 in September 1970. Harrison Schmitt moves from Apollo 18 to Apollo 17. The label of this message is fiction.'] },
  { file: 'apollo-xi-presse.txt', label: '*', lang: 'fr', title: "Apollo 11 : les premiers pas sur la Lune", author: 'Bureau de presse de démonstration', text: [
    "Le 21 juillet 1969 à 2 h 56, heure universelle, Neil Armstrong a posé le pied sur la Lune. Buzz Aldrin l'a rejoint dix-neuf minutes plus tard. Michael Collins les attendait en orbite à bord de Columbia.",
    "Les astronautes ont récolté plus de vingt kilogrammes d'échantillons à la base de la Tranquillité."] },
  { file: 'apollo-13-rueckkehr.html', label: '*', lang: 'de', title: 'Apollo 13: die Rückkehr', author: 'Vorführ-Pressestelle', text: [
    'Nach der Explosion eines Sauerstofftanks wurde die Mondfähre Aquarius zum Rettungsboot. Jim Lovell, Jack Swigert und Fred Haise umrundeten den Mond und kehrten am 17. April 1970 wohlbehalten zurück.',
    'Die Flugleitung in Houston ließ fast alle Geräte abschalten, um Strom zu sparen; in der Kabine wurde es bitterkalt.'] },
  { file: 'capcom-roster.csv', label: 'clearance=OS', title: 'Capsule communicators', author: 'Demo Flight Planning', rows: [
    ['mission', 'communicator'],
    ['Apollo 11', 'Charlie Duke'],
    ['Apollo 11', 'Bruce McCandless'],
    ['Apollo 13', 'Jack Lousma'],
    ['Apollo 13', 'Ken Mattingly'],
    ['Apollo 17', 'Gordon Fullerton']] },
];
