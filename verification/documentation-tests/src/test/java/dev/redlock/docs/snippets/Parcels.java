package dev.redlock.docs.snippets;

import org.springframework.data.jpa.repository.JpaRepository;

interface Parcels extends JpaRepository<Parcel, Long> {

}
